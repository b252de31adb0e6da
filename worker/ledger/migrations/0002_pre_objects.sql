-- Jobs of objects in a bucket: which generation each is about, so that an older one is known when it comes late.

alter table job add column generation bigint;
create index job_of_object on job (source, name, generation);
