# One account a role, with the rights of that role on the things that it uses, and none on the project but Vertex AI's,
# which can be given no narrower.
locals {
  roles = merge(
    {
      worker    = "Takes uploads, runs stages, renders, delivers, sweeps"
      web       = "Serves the review pages"
      migrate   = "Brings the database up to date"
      scheduler = "Starts the sweep"
    },
    local.push ? {
      push   = "Receives pushed notifications"
      pusher = "Signs what Pub/Sub pushes"
    } : {}
  )
}

resource "google_service_account" "role" {
  for_each = local.roles

  account_id   = "dealwright-${each.key}"
  display_name = "dealwright ${each.key}"
  description  = each.value

  depends_on = [google_project_service.used]
}

# Gemini through Vertex AI: no key to keep.
resource "google_project_iam_member" "model" {
  count = local.uses_model ? 1 : 0

  project = var.project
  role    = "roles/aiplatform.user"
  member  = google_service_account.role["worker"].member
}

# Signed addresses of delivered documents: the web role signs as itself, with no key file.
resource "google_service_account_iam_member" "web_signs" {
  service_account_id = google_service_account.role["web"].name
  role               = "roles/iam.serviceAccountTokenCreator"
  member             = google_service_account.role["web"].member
}
