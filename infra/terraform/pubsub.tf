resource "google_pubsub_topic" "role" {
  for_each = local.topology.topics

  name         = each.value.name
  kms_key_name = var.kms_key

  # Messages stay within the region of the jobs that they tell of.
  message_storage_policy {
    allowed_persistence_regions = [var.region]
  }

  depends_on = [google_project_service.used, google_kms_crypto_key_iam_member.agent]
}

resource "google_pubsub_subscription" "role" {
  for_each = local.topology.subscriptions

  name                       = each.value.name
  topic                      = google_pubsub_topic.role[each.value.topic].id
  ack_deadline_seconds       = each.value.ack_deadline_s
  message_retention_duration = "${each.value.retention_s}s"

  # Ordering would hold every message of a job behind the first that fails; order comes from the ledger.
  enable_message_ordering      = false
  enable_exactly_once_delivery = false

  # No ttl: a subscription that nobody read from for a month must not vanish with what it holds.
  expiration_policy {
    ttl = ""
  }

  dynamic "retry_policy" {
    for_each = try([each.value.retry], [])

    content {
      minimum_backoff = "${retry_policy.value.minimum_s}s"
      maximum_backoff = "${retry_policy.value.maximum_s}s"
    }
  }

  dynamic "dead_letter_policy" {
    for_each = try([each.value.dead_letter], [])

    content {
      dead_letter_topic     = google_pubsub_topic.role[dead_letter_policy.value.topic].id
      max_delivery_attempts = dead_letter_policy.value.max_deliveries
    }
  }

  dynamic "push_config" {
    for_each = local.push && each.key == "uploads" ? [local.push_audience] : []

    content {
      push_endpoint = "${google_cloud_run_v2_service.served["push"].uri}/push"

      oidc_token {
        service_account_email = google_service_account.role["pusher"].email
        audience              = push_config.value
      }
    }
  }
}

# --- what makes dead-lettering fire ------------------------------------------------------------------------------
# Pub/Sub moves a message as its own service agent: it publishes to the dead topic and acknowledges at the source.
# Without both rights nothing is said, and the message comes for ever.

resource "google_pubsub_topic_iam_member" "dead_letters_in" {
  topic  = google_pubsub_topic.role["dead"].id
  role   = "roles/pubsub.publisher"
  member = local.pubsub_agent
}

resource "google_pubsub_subscription_iam_member" "dead_letters_out" {
  for_each = { for key, subscription in local.topology.subscriptions : key => subscription if can(subscription.dead_letter) }

  subscription = google_pubsub_subscription.role[each.key].id
  role         = "roles/pubsub.subscriber"
  member       = local.pubsub_agent
}

# --- who publishes and who reads ---------------------------------------------------------------------------------

resource "google_pubsub_topic_iam_member" "storage_publishes" {
  topic  = google_pubsub_topic.role["uploads"].id
  role   = "roles/pubsub.publisher"
  member = data.google_storage_project_service_account.agent.member
}

# Whoever commits to the ledger sends what the commit promised.
resource "google_pubsub_topic_iam_member" "publishes" {
  for_each = merge([
    for role in concat(["worker", "web"], local.push ? ["push"] : []) : {
      for topic in ["work", "renders", "results"] : "${role}/${topic}" => { role = role, topic = topic }
    }
  ]...)

  topic  = google_pubsub_topic.role[each.value.topic].id
  role   = "roles/pubsub.publisher"
  member = google_service_account.role[each.value.role].member
}

resource "google_pubsub_subscription_iam_member" "reads" {
  for_each = toset([for key in ["uploads", "work", "renders"] : key if !(local.push && key == "uploads")])

  subscription = google_pubsub_subscription.role[each.key].id
  role         = "roles/pubsub.subscriber"
  member       = google_service_account.role["worker"].member
}

# Signing tokens as the pusher is Pub/Sub's to do, in projects from before April 2021 only if it is said.
resource "google_service_account_iam_member" "pubsub_signs" {
  count = local.push ? 1 : 0

  service_account_id = google_service_account.role["pusher"].name
  role               = "roles/iam.serviceAccountTokenCreator"
  member             = local.pubsub_agent
}

# --- who looks ---------------------------------------------------------------------------------------------------
# `doctor` runs as a worker and compares what is there with topology.yaml. No predefined role that only looks shows who
# has which right, and so whether dead-lettering fires.

resource "google_project_iam_custom_role" "looks" {
  role_id     = "dealwright_looks"
  title       = "dealwright: looks at topics and subscriptions"
  permissions = ["pubsub.subscriptions.get", "pubsub.topics.get", "pubsub.topics.getIamPolicy"]

  depends_on = [google_project_service.used]
}

resource "google_pubsub_topic_iam_member" "looks" {
  for_each = google_pubsub_topic.role

  topic  = each.value.id
  role   = google_project_iam_custom_role.looks.name
  member = google_service_account.role["worker"].member
}

resource "google_pubsub_subscription_iam_member" "looks" {
  for_each = google_pubsub_subscription.role

  subscription = each.value.id
  role         = google_project_iam_custom_role.looks.name
  member       = google_service_account.role["worker"].member
}
