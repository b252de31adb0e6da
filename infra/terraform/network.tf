# A network of our own: the database has no public address, and what runs reaches it from inside.
resource "google_compute_network" "private" {
  name                    = "dealwright"
  auto_create_subnetworks = false

  depends_on = [google_project_service.used]
}

resource "google_compute_subnetwork" "run" {
  name                     = "dealwright-run"
  network                  = google_compute_network.private.id
  region                   = var.region
  ip_cidr_range            = var.subnet_cidr
  private_ip_google_access = true
}

resource "google_compute_global_address" "services" {
  name          = "dealwright-services"
  network       = google_compute_network.private.id
  purpose       = "VPC_PEERING"
  address_type  = "INTERNAL"
  prefix_length = 20
}

resource "google_service_networking_connection" "services" {
  network                 = google_compute_network.private.id
  service                 = "servicenetworking.googleapis.com"
  reserved_peering_ranges = [google_compute_global_address.services.name]
}
