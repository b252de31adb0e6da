-- Documents that somebody makes, or made until they died: what the sweep looks through for leases that ran out.

create index ticket_leased on ticket (job_id) where lease_holder is not null;
