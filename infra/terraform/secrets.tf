# Secrets that roles read when they start. Their values are written and never read back: none is in the state.
locals {
  secrets = {
    database-url = { readers = ["worker", "web", "push", "migrate"] }
    # Whoever publishes a result notes that it is owed to the webhook, and may be the one who posts it.
    webhook-secret = { readers = ["worker", "web", "push", "migrate"] }
    link-secret    = { readers = ["worker", "web"] }
  }

  secret_readers = merge([
    for secret, about in local.secrets : {
      for role in about.readers : "${secret}/${role}" => { secret = secret, role = role }
      if contains(keys(local.roles), role)
    }
  ]...)
}

resource "google_secret_manager_secret" "used" {
  for_each = local.secrets

  secret_id           = "dealwright-${each.key}"
  deletion_protection = var.deletion_protection

  replication {
    user_managed {
      replicas {
        location = var.region
      }
    }
  }

  depends_on = [google_project_service.used]
}

resource "google_secret_manager_secret_iam_member" "reader" {
  for_each = local.secret_readers

  secret_id = google_secret_manager_secret.used[each.value.secret].id
  role      = "roles/secretmanager.secretAccessor"
  member    = google_service_account.role[each.value.role].member
}

resource "google_secret_manager_secret_version" "database_url" {
  secret                 = google_secret_manager_secret.used["database-url"].id
  secret_data_wo         = "postgresql+asyncpg://${google_sql_user.dealwright.name}:${ephemeral.random_password.database.result}@${google_sql_database_instance.ledger.private_ip_address}:5432/${google_sql_database.ledger.name}?ssl=require"
  secret_data_wo_version = var.password_version
  deletion_policy        = "ABANDON"
}

ephemeral "random_password" "signing" {
  for_each = toset(["webhook-secret", "link-secret"])

  length  = 64
  special = false
}

resource "google_secret_manager_secret_version" "signing" {
  for_each = toset(["webhook-secret", "link-secret"])

  secret = google_secret_manager_secret.used[each.key].id
  # The webhook's has the form that its scheme gives a key.
  secret_data_wo = (
    each.key == "webhook-secret"
    ? "whsec_${base64encode(ephemeral.random_password.signing[each.key].result)}"
    : ephemeral.random_password.signing[each.key].result
  )
  secret_data_wo_version = var.signing_version
  deletion_policy        = "ABANDON"
}
