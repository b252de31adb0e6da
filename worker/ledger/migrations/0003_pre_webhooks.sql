-- Results that are owed to the webhook, each with a log of every try. The body is the outbox's.

create table webhook (
    id text not null primary key references outbox (id),
    job_id text not null references job (id),
    state text not null,
    tries integer not null,
    created_at timestamptz not null,
    next_at timestamptz not null,
    ended_at timestamptz
);
create index webhook_due on webhook (next_at) where state = 'owed';
create index webhook_of_job on webhook (job_id);

create table webhook_try (
    webhook_id text not null references webhook (id),
    number integer not null,
    at timestamptz not null,
    duration_ms integer,
    status integer,
    error text,
    primary key (webhook_id, number)
);
