-- The trace that a job belongs to and the one that a message was promised in, as W3C trace contexts.

alter table job add column trace text;
alter table outbox add column trace text;
-- What is counted every few seconds while somebody watches: jobs that are not over by their state, and those set aside.
create index job_by_state on job (state, updated_at) where finished_at is null;
create index job_set_aside on job (updated_at) where state = 'quarantined';
