locals {
  # What every role is told. The names are the settings' (DEALWRIGHT_…), and an unknown one stops a role at its start.
  settings = merge(
    {
      PROJECT    = var.project
      TRANSPORT  = "pubsub"
      ARTIFACTS  = "gs://${google_storage_bucket.role["artifacts"].name}"
      DELIVERIES = "gs://${google_storage_bucket.role["deliveries"].name}"
      INBOX      = "gs://${google_storage_bucket.role["inbox"].name}"
      MODEL      = var.model
      SLOTS      = tostring(var.slots)
      PUBLIC_URL = local.public_url
      STATE_DIR  = "/tmp/dealwright"
    },
    var.webhook_url == "" ? {} : { WEBHOOK_URL = var.webhook_url },
    local.push ? {
      PUSH_AUDIENCE        = local.push_audience
      PUSH_SERVICE_ACCOUNT = google_service_account.role["pusher"].email
    } : {},
    var.settings,
  )

  model_environment = local.uses_model ? {
    GOOGLE_GENAI_USE_VERTEXAI = "true"
    GOOGLE_CLOUD_PROJECT      = var.project
    GOOGLE_CLOUD_LOCATION     = coalesce(var.model_location, var.region)
  } : {}

  environment = merge({ for name, value in local.settings : "DEALWRIGHT_${name}" => value }, local.model_environment)

  # Each names the version that it was made with: a new password makes new revisions, with nothing restarted by hand.
  secret_versions = {
    database-url   = { name = "DEALWRIGHT_DATABASE_URL", version = google_secret_manager_secret_version.database_url.version }
    webhook-secret = { name = "DEALWRIGHT_WEBHOOK_SECRET", version = google_secret_manager_secret_version.signing["webhook-secret"].version }
    link-secret    = { name = "DEALWRIGHT_LINK_SECRET", version = google_secret_manager_secret_version.signing["link-secret"].version }
  }

  role_secrets = {
    for role in keys(local.roles) : role => {
      for secret, about in local.secrets : secret => local.secret_versions[secret] if contains(about.readers, role)
    }
  }

  services = merge(
    { web = { ingress = var.web.ingress, audiences = [], callers = var.web.iap ? [] : var.web.invokers, iap = var.web.iap } },
    # Pub/Sub's pushes count as coming from inside the project.
    local.push ? { push = { ingress = "INGRESS_TRAFFIC_INTERNAL_ONLY", audiences = [local.push_audience], callers = [], iap = false } } : {},
  )

  pools = {
    work = {
      args = local.push ? ["work", "--only", "work"] : ["work", "--only", "uploads", "--only", "work"]
      size = var.workers
    }
    renders = { args = ["work", "--only", "renders"], size = var.renderers }
  }

  # A process has two pools of connections, the ledger's and the sessions'.
  connections_per_process = 2 * local.pool_size
  most_connections = local.connections_per_process * sum(concat(
    [for pool in local.pools : pool.size.instances],
    [var.web.max_instances * length(local.services)],
    # One sweep, one migration, one command of an operator's.
    [3],
  ))
}

# Pull: the pools take what they can hold, and are as many as is said. Nothing scales them by itself.
resource "google_cloud_run_v2_worker_pool" "pull" {
  for_each = local.pools

  name                = "dealwright-${each.key}"
  location            = var.region
  deletion_protection = var.deletion_protection

  scaling {
    scaling_mode          = "MANUAL"
    manual_instance_count = each.value.size.instances
  }

  template {
    service_account = google_service_account.role["worker"].email

    containers {
      image = var.image
      args  = concat(each.value.args, ["--log-json"])

      resources {
        limits = {
          cpu    = each.value.size.cpu
          memory = each.value.size.memory
        }
      }

      dynamic "env" {
        for_each = local.environment

        content {
          name  = env.key
          value = env.value
        }
      }

      dynamic "env" {
        for_each = local.role_secrets["worker"]

        content {
          name = env.value.name

          value_source {
            secret_key_ref {
              secret  = google_secret_manager_secret.used[env.key].secret_id
              version = env.value.version
            }
          }
        }
      }

      volume_mounts {
        name       = "scratch"
        mount_path = "/tmp"
      }
    }

    # Counted against the memory above, and gone with the instance.
    volumes {
      name = "scratch"

      empty_dir {
        medium     = "MEMORY"
        size_limit = "1Gi"
      }
    }

    vpc_access {
      egress = "PRIVATE_RANGES_ONLY"

      network_interfaces {
        network    = google_compute_network.private.id
        subnetwork = google_compute_subnetwork.run.id
      }
    }
  }

  depends_on = [google_secret_manager_secret_iam_member.reader]
}

# Review pages for people, and apart from them what takes pushed notifications: each has its own account and callers,
# so that opening the pages doesn't open the other. Both scale to zero.
resource "google_cloud_run_v2_service" "served" {
  for_each = local.services

  name                = "dealwright-${each.key}"
  location            = var.region
  ingress             = each.value.ingress
  custom_audiences    = each.value.audiences
  iap_enabled         = each.value.iap
  deletion_protection = var.deletion_protection

  template {
    service_account                  = google_service_account.role[each.key].email
    timeout                          = "60s"
    max_instance_request_concurrency = 40

    scaling {
      min_instance_count = 0
      max_instance_count = var.web.max_instances
    }

    containers {
      image = var.image
      args  = ["serve", "--log-json"]

      ports {
        container_port = 8080
      }

      resources {
        cpu_idle          = true
        startup_cpu_boost = true
        limits = {
          cpu    = "1"
          memory = "1Gi"
        }
      }

      # Not /readyz: while messages can't go out, people must still get at the pages, and what they decide waits.
      startup_probe {
        period_seconds    = 2
        timeout_seconds   = 2
        failure_threshold = 30

        http_get {
          path = "/healthz"
        }
      }

      liveness_probe {
        period_seconds    = 15
        timeout_seconds   = 5
        failure_threshold = 4

        http_get {
          path = "/healthz"
        }
      }

      dynamic "env" {
        for_each = local.environment

        content {
          name  = env.key
          value = env.value
        }
      }

      dynamic "env" {
        for_each = local.role_secrets[each.key]

        content {
          name = env.value.name

          value_source {
            secret_key_ref {
              secret  = google_secret_manager_secret.used[env.key].secret_id
              version = env.value.version
            }
          }
        }
      }

      volume_mounts {
        name       = "scratch"
        mount_path = "/tmp"
      }
    }

    volumes {
      name = "scratch"

      empty_dir {
        medium     = "MEMORY"
        size_limit = "256Mi"
      }
    }

    vpc_access {
      egress = "PRIVATE_RANGES_ONLY"

      network_interfaces {
        network    = google_compute_network.private.id
        subnetwork = google_compute_subnetwork.run.id
      }
    }
  }

  depends_on = [google_secret_manager_secret_iam_member.reader]
}

resource "google_cloud_run_v2_service_iam_member" "calls" {
  for_each = merge([
    for service, about in local.services : {
      for member in about.callers : "${service}/${member}" => { service = service, member = member }
    }
  ]...)

  name     = google_cloud_run_v2_service.served[each.value.service].name
  location = var.region
  role     = "roles/run.invoker"
  member   = each.value.member
}

# With IAP, people are let through by name, and it calls the pages as itself.
resource "google_iap_web_cloud_run_service_iam_member" "passes" {
  for_each = toset(var.web.iap ? var.web.invokers : [])

  project                = var.project
  location               = var.region
  cloud_run_service_name = google_cloud_run_v2_service.served["web"].name
  role                   = "roles/iap.httpsResourceAccessor"
  member                 = each.value
}

resource "google_cloud_run_v2_service_iam_member" "iap_calls" {
  count = var.web.iap ? 1 : 0

  name     = google_cloud_run_v2_service.served["web"].name
  location = var.region
  role     = "roles/run.invoker"
  member   = local.iap_agent
}

resource "google_cloud_run_v2_service_iam_member" "pushes" {
  count = local.push ? 1 : 0

  name     = google_cloud_run_v2_service.served["push"].name
  location = var.region
  role     = "roles/run.invoker"
  member   = google_service_account.role["pusher"].member
}

# What runs to its end: migrations and an operator's commands when somebody says so, the sweep when the scheduler does.
resource "google_cloud_run_v2_job" "once" {
  for_each = {
    migrate = { role = "migrate", args = ["migrate"], timeout = "3600s" }
    sweep   = { role = "worker", args = ["sweep"], timeout = "300s" }
    operate = { role = "worker", args = ["doctor"], timeout = "600s" }
  }

  name                = "dealwright-${each.key}"
  location            = var.region
  deletion_protection = var.deletion_protection

  template {
    task_count  = 1
    parallelism = 1

    template {
      service_account = google_service_account.role[each.value.role].email
      timeout         = each.value.timeout
      # A migration that failed is looked at before it is tried again; a sweep comes again by itself.
      max_retries = 0

      containers {
        image = var.image
        args  = concat(each.value.args, ["--log-json"])

        resources {
          limits = {
            cpu    = "1"
            memory = "1Gi"
          }
        }

        dynamic "env" {
          for_each = local.environment

          content {
            name  = env.key
            value = env.value
          }
        }

        dynamic "env" {
          for_each = local.role_secrets[each.value.role]

          content {
            name = env.value.name

            value_source {
              secret_key_ref {
                secret  = google_secret_manager_secret.used[env.key].secret_id
                version = env.value.version
              }
            }
          }
        }

        volume_mounts {
          name       = "scratch"
          mount_path = "/tmp"
        }
      }

      volumes {
        name = "scratch"

        empty_dir {
          medium     = "MEMORY"
          size_limit = "256Mi"
        }
      }

      vpc_access {
        egress = "PRIVATE_RANGES_ONLY"

        network_interfaces {
          network    = google_compute_network.private.id
          subnetwork = google_compute_subnetwork.run.id
        }
      }
    }
  }

  depends_on = [google_secret_manager_secret_iam_member.reader]
}

resource "google_cloud_run_v2_job_iam_member" "scheduler_runs_sweep" {
  name     = google_cloud_run_v2_job.once["sweep"].name
  location = var.region
  role     = "roles/run.invoker"
  member   = google_service_account.role["scheduler"].member
}

resource "google_cloud_scheduler_job" "sweep" {
  name             = "dealwright-sweep"
  region           = var.region
  description      = "Sends again what was promised and not sent, and takes up what nobody holds any more"
  schedule         = var.sweep_schedule
  time_zone        = "Etc/UTC"
  attempt_deadline = "60s"

  retry_config {
    retry_count = 1
  }

  http_target {
    http_method = "POST"
    uri         = "https://run.googleapis.com/v2/${google_cloud_run_v2_job.once["sweep"].id}:run"

    oauth_token {
      service_account_email = google_service_account.role["scheduler"].email
      scope                 = "https://www.googleapis.com/auth/cloud-platform"
    }
  }

  depends_on = [google_project_service.used]
}
