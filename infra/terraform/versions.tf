terraform {
  # 1.11 is the first with write-only arguments: passwords go to Google and never into the state.
  required_version = ">= 1.11, < 2.0"

  required_providers {
    google = {
      source  = "hashicorp/google"
      version = "~> 8.7"
    }
    random = {
      source  = "hashicorp/random"
      version = "~> 3.7"
    }
  }

  # Say where the state lives with `terraform init -backend-config="bucket=…"`; it holds no secrets, but is worth a
  # versioned bucket of its own.
  backend "gcs" {
    prefix = "dealwright"
  }
}

provider "google" {
  project        = var.project
  region         = var.region
  default_labels = merge({ application = "dealwright" }, var.labels)
}
