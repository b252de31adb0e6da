# The APIs that are used. They stay on when this is destroyed: others in the project may use them too.
resource "google_project_service" "used" {
  for_each = toset(concat(var.web.iap ? ["iap.googleapis.com"] : [], [
    "aiplatform.googleapis.com",
    "cloudscheduler.googleapis.com",
    "compute.googleapis.com",
    "iam.googleapis.com",
    "iamcredentials.googleapis.com",
    "logging.googleapis.com",
    "monitoring.googleapis.com",
    "pubsub.googleapis.com",
    "run.googleapis.com",
    "secretmanager.googleapis.com",
    "servicenetworking.googleapis.com",
    "sqladmin.googleapis.com",
    "storage.googleapis.com",
  ]))

  service            = each.value
  disable_on_destroy = false
}

# Looked at while planning, so that accounts of Google's own are named in the plan.
data "google_project" "here" {}

# Cloud Storage's own account, made on the first look at it: it publishes the notifications.
data "google_storage_project_service_account" "agent" {}
