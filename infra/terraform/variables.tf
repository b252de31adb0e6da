variable "project" {
  description = "Id of the Google Cloud project that everything is made in."
  type        = string

  validation {
    condition     = can(regex("^[a-z][a-z0-9-]{4,28}[a-z0-9]$", var.project))
    error_message = "A project id has 6 to 30 lower-case letters, digits and hyphens, and begins with a letter."
  }
}

variable "region" {
  description = "Region of the buckets, the database and what runs, such as europe-west1."
  type        = string

  validation {
    condition     = can(regex("^[a-z]+-[a-z]+[0-9]+$", var.region))
    error_message = "A region looks like europe-west1; a zone or a multi-region won't do."
  }
}

variable "image" {
  description = "The image that every role runs, by digest: what is deployed is then what was tested, and rolling back is naming the digest before."
  type        = string

  validation {
    condition     = can(regex("@sha256:[0-9a-f]{64}$", var.image))
    error_message = "Name the image by its digest: …/dealwright@sha256:<64 hex digits>."
  }
}

variable "labels" {
  description = "Labels for everything that takes some, beside application=dealwright."
  type        = map(string)
  default     = {}
}

variable "kms_key" {
  description = "A key of Cloud KMS (projects/…/cryptoKeys/…) in the same region, for the buckets and topics; null leaves encryption to Google's keys."
  type        = string
  default     = null

  validation {
    condition     = var.kms_key == null || can(regex("^projects/[^/]+/locations/[^/]+/keyRings/[^/]+/cryptoKeys/[^/]+$", var.kms_key))
    error_message = "A key is named projects/PROJECT/locations/REGION/keyRings/RING/cryptoKeys/KEY."
  }
}

variable "subnet_cidr" {
  description = "Addresses that running instances take inside the private network; Cloud Run wants about two an instance."
  type        = string
  default     = "10.20.0.0/22"

  validation {
    condition     = can(cidrhost(var.subnet_cidr, 0)) && try(tonumber(split("/", var.subnet_cidr)[1]) <= 26, false)
    error_message = "A range such as 10.20.0.0/22, no smaller than /26."
  }
}

# --- what a job may use ------------------------------------------------------------------------------------------

variable "model" {
  description = "The model that decides, as DEALWRIGHT_MODEL takes it; `offline` is the planner, which needs none."
  type        = string
  default     = "gemini-2.5-flash"

  validation {
    condition     = length(var.model) > 0
    error_message = "Name a model, or offline."
  }
}

variable "model_location" {
  description = "Where Vertex AI is asked; the workers' own region if null."
  type        = string
  default     = null
}

variable "settings" {
  description = "Further DEALWRIGHT_ settings for every role, without the prefix: { MAX_FILE_BYTES = \"50000000\" }. Unknown names are refused when a role starts."
  type        = map(string)
  default     = {}

  validation {
    condition     = alltrue([for name in keys(var.settings) : can(regex("^[A-Z][A-Z_]*$", name)) && !startswith(name, "DEALWRIGHT_")])
    error_message = "Names are given in capitals and without DEALWRIGHT_ before them."
  }

  validation {
    condition     = length(setintersection(keys(var.settings), ["DATABASE_URL", "WEBHOOK_SECRET", "LINK_SECRET"])) == 0
    error_message = "Secrets are kept in Secret Manager, not in variables."
  }
}

# --- what runs ---------------------------------------------------------------------------------------------------

variable "uploads_delivery" {
  description = "How notifications of uploads arrive: pull by the workers, or push to a service that scales to zero."
  type        = string
  default     = "pull"

  validation {
    condition     = contains(["pull", "push"], var.uploads_delivery)
    error_message = "Either pull or push."
  }
}

variable "slots" {
  description = "How many messages one worker process handles at once."
  type        = number
  default     = 2

  validation {
    condition     = var.slots >= 1 && var.slots <= 64 && floor(var.slots) == var.slots
    error_message = "A whole number from 1 to 64."
  }

  validation {
    condition     = tonumber(lookup(var.settings, "POOL_SIZE", "15")) >= var.slots + 2
    error_message = "Give settings a POOL_SIZE of slots and two more, or every role refuses to start."
  }
}

variable "workers" {
  description = "Instances and size of the pool that takes uploads and stages; nothing scales it by itself, ../README.md says how to choose (How many instances). Memory: 2 GB a slot for the child that reads a workbook, 1 GB for what is under /tmp, 0.5 GB for the worker."
  type = object({
    instances = optional(number, 2)
    cpu       = optional(string, "2")
    memory    = optional(string, "8Gi")
  })
  default = {}

  validation {
    condition     = var.workers.instances >= 0 && floor(var.workers.instances) == var.workers.instances
    error_message = "A whole number of instances; 0 stops the pool and leaves messages where they are."
  }
}

variable "renderers" {
  description = "Instances and size of the pool that makes decks and PDFs, about one for four of the other. Memory: 1 GB a slot, 1 GB for what is under /tmp, 0.5 GB for the worker."
  type = object({
    instances = optional(number, 1)
    cpu       = optional(string, "2")
    memory    = optional(string, "4Gi")
  })
  default = {}

  validation {
    condition     = var.renderers.instances >= 0 && floor(var.renderers.instances) == var.renderers.instances
    error_message = "A whole number of instances; 0 stops the pool and leaves messages where they are."
  }
}

variable "web" {
  description = "The review pages: most instances, who may call them (IAM members), whether people sign in through IAP, and the address that they use if it isn't Cloud Run's own. A browser that follows a link brings no token, so people get in by iap, or by allUsers, which opens the pages to whoever holds a signed link."
  type = object({
    max_instances = optional(number, 4)
    invokers      = optional(list(string), [])
    iap           = optional(bool, false)
    public_url    = optional(string, "")
    ingress       = optional(string, "INGRESS_TRAFFIC_ALL")
  })
  default = {}

  validation {
    condition     = var.web.public_url == "" || can(regex("^https://[^/]+$", var.web.public_url))
    error_message = "An address such as https://deals.example.com, with no path."
  }

  validation {
    condition     = !var.web.iap || length(setintersection(var.web.invokers, ["allUsers", "allAuthenticatedUsers"])) == 0
    error_message = "IAP lets in whom it knows: name groups, users or domains in web.invokers, or leave web.iap out."
  }

  validation {
    condition     = contains(["INGRESS_TRAFFIC_ALL", "INGRESS_TRAFFIC_INTERNAL_ONLY", "INGRESS_TRAFFIC_INTERNAL_LOAD_BALANCER"], var.web.ingress)
    error_message = "One of Cloud Run's three kinds of ingress."
  }
}

variable "webhook_url" {
  description = "Where results are posted, signed; none if empty."
  type        = string
  default     = ""

  validation {
    condition     = var.webhook_url == "" || startswith(var.webhook_url, "https://")
    error_message = "A webhook needs https."
  }
}

variable "sweep_schedule" {
  description = "When lost messages are looked for, as cron says it, in UTC."
  type        = string
  default     = "*/5 * * * *"

  validation {
    condition     = length(split(" ", var.sweep_schedule)) == 5
    error_message = "Five fields, as cron has them."
  }
}

# --- what is kept ------------------------------------------------------------------------------------------------

variable "database" {
  description = "Cloud SQL: name, version, machine, first disk size, whether a standby in another zone takes over, and how many connections it allows."
  type = object({
    name            = optional(string, "dealwright")
    version         = optional(string, "POSTGRES_17")
    tier            = optional(string, "db-custom-2-8192")
    disk_gb         = optional(number, 50)
    standby         = optional(bool, true)
    max_connections = optional(number, 400)
  })
  default = {}

  validation {
    condition     = can(regex("^POSTGRES_1[5-9]$", var.database.version))
    error_message = "A version of PostgreSQL from 15 on, such as POSTGRES_17."
  }
}

variable "password_version" {
  description = "Raise by one to give the database's user a new password; its secret gets it in the same run."
  type        = number
  default     = 1
}

variable "signing_version" {
  description = "Raise by one to make a new secret for links and webhooks; links signed with the one before stop working."
  type        = number
  default     = 1
}

variable "keep_uploads_days" {
  description = "Days after which an upload is deleted from the inbox; the job keeps a copy of its own. 0 keeps them."
  type        = number
  default     = 90
}

variable "keep_artifacts_days" {
  description = "Days after which artifacts are deleted; jobs older than that can't be rendered again. 0 keeps them."
  type        = number
  default     = 0
}

# --- who is told -------------------------------------------------------------------------------------------------

variable "notification_channels" {
  description = "Channels of Cloud Monitoring that alerts go to (projects/…/notificationChannels/…); without one nobody is told."
  type        = list(string)

  validation {
    condition     = alltrue([for channel in var.notification_channels : can(regex("^projects/[^/]+/notificationChannels/[^/]+$", channel))])
    error_message = "A channel is named projects/PROJECT/notificationChannels/ID."
  }
}

variable "alert_after" {
  description = "When to tell: seconds that a message of each queue may wait unacknowledged, and jobs set aside within an hour."
  type = object({
    uploads_s   = optional(number, 300)
    work_s      = optional(number, 900)
    renders_s   = optional(number, 900)
    quarantined = optional(number, 5)
  })
  default = {}
}

variable "deletion_protection" {
  description = "Whether Terraform and Google refuse to delete the database and what runs."
  type        = bool
  default     = true
}
