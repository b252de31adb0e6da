# The ledger and ADK's sessions: one database, two schemas.
resource "google_sql_database_instance" "ledger" {
  name                = var.database.name
  database_version    = var.database.version
  region              = var.region
  deletion_protection = var.deletion_protection

  settings {
    tier                        = var.database.tier
    edition                     = "ENTERPRISE"
    availability_type           = var.database.standby ? "REGIONAL" : "ZONAL"
    disk_type                   = "PD_SSD"
    disk_size                   = var.database.disk_gb
    disk_autoresize             = true
    deletion_protection_enabled = var.deletion_protection
    retain_backups_on_delete    = true
    user_labels                 = var.labels

    ip_configuration {
      ipv4_enabled    = false
      private_network = google_compute_network.private.id
      ssl_mode        = "ENCRYPTED_ONLY"
    }

    backup_configuration {
      enabled                        = true
      start_time                     = "02:00"
      point_in_time_recovery_enabled = true
      transaction_log_retention_days = 7

      backup_retention_settings {
        retained_backups = 14
      }
    }

    maintenance_window {
      day          = 7
      hour         = 3
      update_track = "stable"
    }

    insights_config {
      query_insights_enabled = true
      # The ledger's statements carry their values apart, so that no name of a file gets into a query's text.
      record_client_address = false
    }

    database_flags {
      name  = "max_connections"
      value = tostring(var.database.max_connections)
    }

    # A worker that died inside a transaction must not keep a job's row locked for longer than its lease.
    database_flags {
      name  = "idle_in_transaction_session_timeout"
      value = "60000"
    }
  }

  depends_on = [google_service_networking_connection.services]

  lifecycle {
    # Disks grow by themselves, and never shrink.
    ignore_changes = [settings[0].disk_size]
  }
}

resource "google_sql_database" "ledger" {
  name            = "dealwright"
  instance        = google_sql_database_instance.ledger.name
  deletion_policy = "ABANDON"
}

# Made anew in every run and thrown away, but for the runs in which password_version has been raised.
ephemeral "random_password" "database" {
  length  = 40
  special = false
}

resource "google_sql_user" "dealwright" {
  name                = "dealwright"
  instance            = google_sql_database_instance.ledger.name
  password_wo         = ephemeral.random_password.database.result
  password_wo_version = var.password_version
  deletion_policy     = "ABANDON"
}

# Smaller pools (settings' POOL_SIZE) are the first remedy.
check "connections" {
  assert {
    condition     = local.most_connections <= var.database.max_connections - 10
    error_message = "All instances together may open ${local.most_connections} connections, and the database allows ${var.database.max_connections} (10 are kept for people and Google): a smaller POOL_SIZE in settings, fewer instances, or a larger database.max_connections and tier."
  }
}
