# What a person is told of. Each alert has a section of its name in ../runbook.md.
locals {
  # Our own log lines, by the name of what happened; the field is where worker/log.py puts it.
  log_field = "jsonPayload.event"

  # Lines that are counted, and the field that tells them apart.
  counted_lines = {
    jobs_quarantined = { line = "job_quarantined", label = "code", description = "Jobs set aside, by the code of the reason" }
    breakers_opened  = { line = "breaker_opened", label = "service", description = "Breakers that opened, by what is down" }
    faults           = { line = "dispatch_failed", label = "code", description = "Deliveries that failed by a fault of ours or of what we stand on" }
    jobs_stuck       = { line = "jobs_stuck", label = "state", description = "Sweeps that found jobs which wait and have nothing to wait for, or wait for a machine too long" }
    sweeps           = { line = "sweep_done", label = null, description = "Sweeps that ended well" }
  }

  line_filter = "resource.type=(\"cloud_run_worker_pool\" OR \"cloud_run_revision\" OR \"cloud_run_job\") AND ${local.log_field}"

  queue_limits_s = { uploads = var.alert_after.uploads_s, work = var.alert_after.work_s, renders = var.alert_after.renders_s }

  # Logs come from several kinds of resource, and a condition looks at one kind.
  running_kinds = ["cloud_run_worker_pool", "cloud_run_revision", "cloud_run_job"]

  alerts = merge(
    {
      for queue, limit_s in local.queue_limits_s : "oldest-unacknowledged-${queue}" => {
        title     = "Oldest unacknowledged message of ${queue} is older than ${limit_s} s"
        section   = "oldest-unacknowledged"
        severity  = queue == "uploads" ? "CRITICAL" : "ERROR"
        filters   = { queue = "resource.type=\"pubsub_subscription\" AND resource.labels.subscription_id=\"${local.topology.subscriptions[queue].name}\" AND metric.type=\"pubsub.googleapis.com/subscription/oldest_unacked_message_age\"" }
        aligner   = "ALIGN_MAX"
        period_s  = 60
        lasting_s = 300
        above     = limit_s
      }
    },
    {
      dead-letters = {
        title     = "Dead letters are kept"
        section   = "dead-letters"
        severity  = "ERROR"
        filters   = { kept = "resource.type=\"pubsub_subscription\" AND resource.labels.subscription_id=\"${local.topology.subscriptions["dead"].name}\" AND metric.type=\"pubsub.googleapis.com/subscription/num_undelivered_messages\"" }
        aligner   = "ALIGN_MAX"
        period_s  = 60
        lasting_s = 0
        above     = 0
      }
      quarantine = {
        title     = "More than ${var.alert_after.quarantined} jobs were set aside within an hour"
        section   = "quarantine"
        severity  = "WARNING"
        filters   = { for kind in local.running_kinds : kind => "resource.type=\"${kind}\" AND metric.type=\"logging.googleapis.com/user/${google_logging_metric.counted["jobs_quarantined"].name}\"" }
        aligner   = "ALIGN_DELTA"
        period_s  = 3600
        lasting_s = 0
        above     = var.alert_after.quarantined
      }
      breaker = {
        title     = "A breaker opened: the model, the store or the database is down"
        section   = "breaker"
        severity  = "CRITICAL"
        filters   = { for kind in local.running_kinds : kind => "resource.type=\"${kind}\" AND metric.type=\"logging.googleapis.com/user/${google_logging_metric.counted["breakers_opened"].name}\"" }
        aligner   = "ALIGN_DELTA"
        period_s  = 300
        lasting_s = 0
        above     = 0
      }
      faults = {
        title     = "More than 20 deliveries failed within 10 minutes"
        section   = "faults"
        severity  = "ERROR"
        filters   = { for kind in local.running_kinds : kind => "resource.type=\"${kind}\" AND metric.type=\"logging.googleapis.com/user/${google_logging_metric.counted["faults"].name}\"" }
        aligner   = "ALIGN_DELTA"
        period_s  = 600
        lasting_s = 0
        above     = 20
      }
      stuck = {
        title     = "Jobs are stuck"
        section   = "stuck"
        severity  = "ERROR"
        filters   = { swept = "resource.type=\"cloud_run_job\" AND metric.type=\"logging.googleapis.com/user/${google_logging_metric.counted["jobs_stuck"].name}\"" }
        aligner   = "ALIGN_DELTA"
        period_s  = 900
        lasting_s = 900
        above     = 0
      }
      database-connections = {
        title     = "More than 80 % of the database's connections are in use"
        section   = "database"
        severity  = "ERROR"
        filters   = { backends = "resource.type=\"cloudsql_database\" AND resource.labels.database_id=\"${var.project}:${google_sql_database_instance.ledger.name}\" AND metric.type=\"cloudsql.googleapis.com/database/postgresql/num_backends\"" }
        aligner   = "ALIGN_MAX"
        period_s  = 60
        lasting_s = 300
        above     = floor(var.database.max_connections * 0.8)
      }
      database-cpu = {
        title     = "The database's processors are more than 80 % busy"
        section   = "database"
        severity  = "WARNING"
        filters   = { cpu = "resource.type=\"cloudsql_database\" AND resource.labels.database_id=\"${var.project}:${google_sql_database_instance.ledger.name}\" AND metric.type=\"cloudsql.googleapis.com/database/cpu/utilization\"" }
        aligner   = "ALIGN_MEAN"
        period_s  = 300
        lasting_s = 900
        above     = 0.8
      }
    },
  )
}

resource "google_logging_metric" "counted" {
  for_each = local.counted_lines

  name        = "dealwright/${each.key}"
  description = each.value.description
  filter      = "${local.line_filter}=\"${each.value.line}\""

  metric_descriptor {
    metric_kind = "DELTA"
    value_type  = "INT64"
    unit        = "1"

    dynamic "labels" {
      for_each = each.value.label[*]

      content {
        key        = labels.value
        value_type = "STRING"
      }
    }
  }

  label_extractors = { for label in each.value.label[*] : label => "EXTRACT(jsonPayload.${label})" }

  depends_on = [google_project_service.used]
}

resource "google_monitoring_alert_policy" "threshold" {
  for_each = local.alerts

  display_name          = "dealwright: ${each.value.title}"
  combiner              = "OR"
  severity              = each.value.severity
  notification_channels = var.notification_channels

  dynamic "conditions" {
    for_each = each.value.filters

    content {
      display_name = conditions.key

      condition_threshold {
        filter          = conditions.value
        comparison      = "COMPARISON_GT"
        threshold_value = each.value.above
        duration        = "${each.value.lasting_s}s"

        aggregations {
          alignment_period     = "${each.value.period_s}s"
          per_series_aligner   = each.value.aligner
          cross_series_reducer = each.value.aligner == "ALIGN_DELTA" ? "REDUCE_SUM" : "REDUCE_MAX"
        }
      }
    }
  }

  alert_strategy {
    auto_close = "86400s"
  }

  documentation {
    subject   = "dealwright: ${each.value.title}"
    mime_type = "text/markdown"
    content   = "What to do is in infra/runbook.md of this release, section `${each.value.section}`."
  }
}

# Nothing is noticed any more when the sweep itself has stopped.
resource "google_monitoring_alert_policy" "sweep_absent" {
  display_name          = "dealwright: the sweep has not ended well for an hour"
  combiner              = "OR"
  severity              = "ERROR"
  notification_channels = var.notification_channels

  conditions {
    display_name = "no sweep"

    condition_absent {
      filter   = "resource.type=\"cloud_run_job\" AND metric.type=\"logging.googleapis.com/user/${google_logging_metric.counted["sweeps"].name}\""
      duration = "3600s"

      aggregations {
        alignment_period     = "300s"
        per_series_aligner   = "ALIGN_DELTA"
        cross_series_reducer = "REDUCE_COUNT"
      }
    }
  }

  documentation {
    mime_type = "text/markdown"
    content   = "What to do is in infra/runbook.md of this release, section `sweep`."
  }
}
