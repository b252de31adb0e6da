output "inbox" {
  description = "Where workbooks are dropped: files below this prefix are taken up."
  value       = "gs://${google_storage_bucket.role["inbox"].name}/${local.notification.prefix}"
}

output "deliveries" {
  description = "Where approved documents go."
  value       = "gs://${google_storage_bucket.role["deliveries"].name}"
}

output "artifacts" {
  description = "The bucket of uploads, deals and documents, each version of them."
  value       = google_storage_bucket.role["artifacts"].name
}

output "results_topic" {
  description = "The topic that results are published on; subscribers make their own subscription."
  value       = google_pubsub_topic.role["results"].id
}

output "public_url" {
  description = "Where people review and approve."
  value       = local.public_url
}

output "migrate_job" {
  description = "The job to run before and after a new version: gcloud run jobs execute …"
  value       = google_cloud_run_v2_job.once["migrate"].name
}

output "service_accounts" {
  description = "The account of each role, for grants outside this project."
  value       = { for role, account in google_service_account.role : role => account.email }
}

output "secrets" {
  description = "The secrets, by what they hold; none of their values is in the state."
  value       = { for secret, made in google_secret_manager_secret.used : secret => made.id }
}

output "most_connections" {
  description = "How many connections to the database all instances together may open."
  value       = local.most_connections
}
