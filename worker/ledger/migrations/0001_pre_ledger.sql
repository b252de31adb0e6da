-- Types are PostgreSQL's; SQLite takes any name for a type and keeps what it is given.

create table job (
    id text not null primary key,
    user_id text not null,
    state text not null,
    stage text not null,
    source text not null,
    name text not null,
    filename text not null,
    size_bytes bigint not null,
    upload jsonb not null,
    deals jsonb,
    deals_summary jsonb,
    submitted_by text not null,
    prompts jsonb,
    rounds integer not null,
    reason jsonb,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    finished_at timestamptz,
    fence bigint not null,
    lease_holder text,
    lease_expires_at timestamptz,
    has_work boolean not null,
    failures integer not null,
    lost_leases integer not null
);
create index job_by_time on job (created_at);
create index job_unfinished on job (updated_at) where finished_at is null;

create table stage (
    job_id text not null references job (id),
    stage text not null,
    state text not null,
    epoch integer not null,
    turns integer not null,
    model_calls integer not null,
    tokens bigint,
    answer jsonb,
    stamps jsonb not null,
    started_at timestamptz not null,
    ended_at timestamptz,
    primary key (job_id, stage)
);

create table attempt (
    job_id text not null references job (id),
    number integer not null,
    stage text not null,
    ticket_id text,
    fence bigint not null,
    holder text not null,
    started_at timestamptz not null,
    ended_at timestamptz,
    outcome text,
    code text,
    message text,
    primary key (job_id, number)
);

create table ticket (
    id text not null primary key,
    job_id text not null references job (id),
    kind text not null,
    state text not null,
    subject jsonb not null,
    result jsonb,
    files jsonb,
    opened_at timestamptz not null,
    expires_at timestamptz,
    closed_at timestamptz,
    fence bigint not null,
    lease_holder text,
    lease_expires_at timestamptz,
    has_work boolean not null,
    failures integer not null,
    lost_leases integer not null
);
create index ticket_of_job on ticket (job_id);
create index ticket_overdue on ticket (expires_at) where state = 'open' and expires_at is not null;

create table handoff (
    session_id text not null,
    call_id text not null,
    job_id text not null references job (id),
    pause_id text not null,
    ticket_id text not null references ticket (id),
    call_name text not null,
    seq integer not null,
    primary key (session_id, call_id)
);
create index handoff_of_pause on handoff (pause_id);
create index handoff_of_ticket on handoff (ticket_id);

create table decision (
    ticket_id text not null primary key references ticket (id),
    job_id text not null references job (id),
    verdict text not null,
    comment text not null,
    emphasis text,
    pins jsonb not null,
    subject jsonb not null,
    decided_by text not null,
    decided_at timestamptz not null
);
create index decision_of_job on decision (job_id);

create table delivered (
    job_id text not null primary key references job (id),
    ticket_id text not null references ticket (id),
    place text not null,
    deck_sha256 text not null,
    memo_sha256 text not null,
    delivered_at timestamptz not null
);

create table delivery (
    subscription text not null,
    message_id text not null,
    kind text not null,
    job_id text,
    times integer not null,
    outcome text not null,
    first_at timestamptz not null,
    last_at timestamptz not null,
    primary key (subscription, message_id)
);

create table outbox (
    id text not null primary key,
    job_id text not null references job (id),
    topic text not null,
    body jsonb not null,
    created_at timestamptz not null,
    sent_at timestamptz
);
create index outbox_unsent on outbox (created_at) where sent_at is null;
create index outbox_of_job on outbox (job_id);

create table audit (
    job_id text not null references job (id),
    seq integer not null,
    at timestamptz not null,
    who text not null,
    action text not null,
    facts jsonb not null,
    primary key (job_id, seq)
);
