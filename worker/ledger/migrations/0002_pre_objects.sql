-- Jobs of objects in a bucket: which generation each is about, so that an older one is known when it comes late.

alter table job add column generation bigint;
create index job_of_object on job (source, name, generation);
-- What the sweep looks through every few seconds: jobs that somebody should be at work on, not the many that wait.
create index job_at_work on job (updated_at) where state in ('received', 'extracting', 'presenting', 'delivering');
