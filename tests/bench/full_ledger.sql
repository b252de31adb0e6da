-- 200,000 jobs as a busy month leaves them: most are over, two thousand stand in every other state.

create temporary table n_job as
select n, encode(sha256(('job ' || n)::bytea), 'hex') as id, timestamptz '2026-11-01' + n * interval '10 seconds' as at,
    n <= 198000 as over,
    case when n <= 198000 then case n % 50 when 0 then 'rejected' when 1 then 'cancelled' else 'completed' end
    else (array['received', 'extracting', 'presenting', 'waiting', 'waiting', 'waiting', 'delivering', 'quarantined'])[1 + n % 8]
    end as state
from generate_series(1, 200000) n;

create temporary table n_ticket as
select n_job.*, kind, encode(sha256(('ticket ' || n || ' ' || kind)::bytea), 'hex') as ticket_id
from n_job, unnest(array['deck', 'memo', 'approval']) kind;

insert into job (id, user_id, state, stage, source, name, filename, size_bytes, generation, upload, deals, deals_summary,
    submitted_by, prompts, rounds, reason, created_at, updated_at, finished_at, fence, lease_holder, lease_expires_at,
    has_work, failures, lost_leases)
select id, 'user' || n % 500, state, case when state in ('received', 'extracting') then 'extraction' else 'presentation' end,
    'inbox', 'inbox/user' || n % 500 || '/deals-' || n || '.xlsx', 'deals-' || n || '.xlsx', 8000 + n % 9000, n,
    jsonb_build_object('artifact', 'user:uploads/a', 'version', 0, 'sha256', id),
    jsonb_build_object('artifact', 'deals/' || id, 'version', 0, 'sha256', id),
    '{"deals": 3, "issues": {"by_code": {}}}', 'user', '{}', 0,
    case state when 'quarantined' then
        jsonb_build_object('code', 'file.code' || n % 7, 'message', 'No.', 'cells', '[]'::jsonb) end,
    at, at + interval '1 minute', case when over then at + interval '1 hour' end, 3,
    case when state = 'extracting' then 'worker' end,
    case when state = 'extracting' then case when n % 80 = 1 then at else timestamptz '2099-01-01' end end, false, 0, 0
from n_job;

insert into stage
select id, stage, case when over then 'done' else 'paused' end, 0, 1, 3, 900, '{}', '[]', at, at
from n_job, unnest(array['extraction', 'presentation']) stage;

insert into attempt
select id, number, 'presentation', null, number, 'worker', at, at, 'done'
from n_job, generate_series(1, 4) number;

insert into ticket
select ticket_id, id, kind, case when over or kind <> 'approval' then 'done' else 'open' end, 
    jsonb_build_object('order', jsonb_build_object('kind', kind, 'title', 'Deals', 'emphasis', 'income'), 'round', 0,
    'deals_sha256', id, 'deck_draft_sha256', id, 'deck_final_sha256', id, 'memo_draft_sha256', id, 'memo_final_sha256', id), '{"status": "done", "pages": 3}',
    case when kind <> 'approval' then jsonb_build_object(
        'draft', jsonb_build_object('artifact', kind || '/' || id, 'version', 0, 'sha256', id),
        'final', jsonb_build_object('artifact', kind || '/' || id, 'version', 0, 'sha256', id),
        'figures', jsonb_build_object('artifact', 'figures/' || id, 'version', 0, 'sha256', id)) end, at,
    case when kind = 'approval' then case when n % 40 = 3 and not over then at else timestamptz '2099-01-01' end end, at,
    0, null, null, false, 0, 0
from n_ticket;

insert into handoff
select id || '.presentation', kind || n, id, id || (kind = 'approval'), ticket_id, 'request', 0
from n_ticket;

insert into decision
select ticket_id, id, 'approved', '', null, '[]', '{}', 'someone', at
from n_ticket where over and kind = 'approval';

insert into delivered
select id, ticket_id, 'gs://deliveries/' || id, id, id, at
from n_ticket where state = 'completed' and kind = 'approval';

insert into delivery
select 'work', id || number, 'StageRequested', id, 1, 'Done', at, at
from n_job, generate_series(1, 3) number;

insert into outbox
select 'message ' || n || ' ' || number, id, case number when 6 then 'results' else 'work' end,
    '{"kind": "StageRequested"}', at, case when over or number > 1 then at end
from n_job, generate_series(1, 6) number;

insert into webhook
select 'message ' || n || ' 6', id, case when over then 'done' else 'owed' end, 1, at, at, case when over then at end
from n_job;

insert into webhook_try select 'message ' || n || ' 6', 1, at, 9, 200, null from n_job;

insert into audit
select id, seq, at, 'dealwright', 'noted', '{}'
from n_job, generate_series(1, 4) seq;
