# Names of topics, subscriptions and buckets stand once, in topology.yaml, where the workers read them too.
locals {
  topology     = yamldecode(file("${path.module}/../topology.yaml"))
  notification = local.topology.notification

  push          = var.uploads_delivery == "push"
  push_audience = "dealwright-push"
  uses_model    = var.model != "offline"
  pool_size     = tonumber(lookup(var.settings, "POOL_SIZE", "15"))

  # Cloud Run's address of a service is known before the service is: https://NAME-NUMBER.REGION.run.app.
  public_url = var.web.public_url != "" ? var.web.public_url : "https://dealwright-web-${data.google_project.here.number}.${var.region}.run.app"

  # Google's own accounts; before the first use of a service its account may have to be made (../README.md, Deploy).
  iap_agent    = "serviceAccount:service-${data.google_project.here.number}@gcp-sa-iap.iam.gserviceaccount.com"
  pubsub_agent = "serviceAccount:service-${data.google_project.here.number}@gcp-sa-pubsub.iam.gserviceaccount.com"
}
