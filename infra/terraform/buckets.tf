locals {
  bucket_rules = {
    # A version that was written over or deleted is still read by the job that it belongs to, so it stays for a week.
    inbox      = { versioning = true, delete_after_days = var.keep_uploads_days, keep_noncurrent_days = 7 }
    artifacts  = { versioning = false, delete_after_days = var.keep_artifacts_days, keep_noncurrent_days = 0 }
    deliveries = { versioning = true, delete_after_days = 0, keep_noncurrent_days = 30 }
  }

  # What each role does with the objects of each bucket; nobody of ours deletes or overwrites any.
  bucket_grants = merge([
    for grant in [
      { bucket = "inbox", role = "worker", right = "roles/storage.objectViewer" },
      # `doctor` looks at the notification configurations; nothing smaller lets it.
      { bucket = "inbox", role = "worker", right = "roles/storage.legacyBucketReader" },
      { bucket = "artifacts", role = "worker", right = "roles/storage.objectViewer" },
      { bucket = "artifacts", role = "worker", right = "roles/storage.objectCreator" },
      { bucket = "deliveries", role = "worker", right = "roles/storage.objectViewer" },
      { bucket = "deliveries", role = "worker", right = "roles/storage.objectCreator" },
      # A file that is dropped on the page goes the way of every other.
      { bucket = "inbox", role = "web", right = "roles/storage.objectCreator" },
      { bucket = "artifacts", role = "web", right = "roles/storage.objectViewer" },
      # Corrected deals are kept under their new hash before the decision is written.
      { bucket = "artifacts", role = "web", right = "roles/storage.objectCreator" },
      { bucket = "deliveries", role = "web", right = "roles/storage.objectViewer" },
    ] : { "${grant.bucket}/${grant.role}/${basename(grant.right)}" = grant }
  ]...)
}

resource "google_storage_bucket" "role" {
  for_each = local.topology.buckets

  name                        = "${var.project}-dealwright-${each.key}"
  location                    = var.region
  uniform_bucket_level_access = true
  public_access_prevention    = "enforced"
  force_destroy               = false

  versioning {
    enabled = local.bucket_rules[each.key].versioning
  }

  soft_delete_policy {
    retention_duration_seconds = 7 * 24 * 3600
  }

  dynamic "encryption" {
    for_each = var.kms_key[*]

    content {
      default_kms_key_name = encryption.value
    }
  }

  dynamic "lifecycle_rule" {
    for_each = local.bucket_rules[each.key].delete_after_days > 0 ? [local.bucket_rules[each.key].delete_after_days] : []

    content {
      condition {
        age        = lifecycle_rule.value
        with_state = "LIVE"
      }

      action {
        type = "Delete"
      }
    }
  }

  dynamic "lifecycle_rule" {
    for_each = local.bucket_rules[each.key].versioning ? [local.bucket_rules[each.key].keep_noncurrent_days] : []

    content {
      condition {
        days_since_noncurrent_time = lifecycle_rule.value
        with_state                 = "ARCHIVED"
      }

      action {
        type = "Delete"
      }
    }
  }

  # Parts of uploads that nobody finished cost money and are seen by nobody.
  lifecycle_rule {
    condition {
      age = 7
    }

    action {
      type = "AbortIncompleteMultipartUpload"
    }
  }

  depends_on = [google_kms_crypto_key_iam_member.agent]
}

resource "google_storage_bucket_iam_member" "role" {
  for_each = local.bucket_grants

  bucket = google_storage_bucket.role[each.value.bucket].name
  role   = each.value.right
  member = google_service_account.role[each.value.role].member
}

# One configuration, one kind of event, one prefix: what we write ourselves lies in other buckets and raises nothing.
resource "google_storage_notification" "uploads" {
  bucket             = google_storage_bucket.role[local.notification.bucket].name
  topic              = google_pubsub_topic.role[local.notification.topic].id
  payload_format     = "JSON_API_V1"
  event_types        = local.notification.event_types
  object_name_prefix = local.notification.prefix

  # Without its right to publish, making the notification is refused.
  depends_on = [google_pubsub_topic_iam_member.storage_publishes]
}

# With a key of the customer's, the services that write must be let at it.
resource "google_kms_crypto_key_iam_member" "agent" {
  for_each = var.kms_key == null ? {} : {
    storage = data.google_storage_project_service_account.agent.member
    pubsub  = local.pubsub_agent
  }

  crypto_key_id = var.kms_key
  role          = "roles/cloudkms.cryptoKeyEncrypterDecrypter"
  member        = each.value
}
