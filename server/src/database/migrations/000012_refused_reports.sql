-- Reports that were refused for something that a person can mend, as they were sent: until they are stored after all,
-- discarded, or 30 days old.
create table refused_report (
  team_id uuid not null references team,
  id uuid not null,
  -- SHA-256, in hex, of what makes two reports the same one.
  identity text not null,
  -- The error code of the last refusal, its first invalid field (empty for none), and all of its issues.
  reason text not null,
  field text not null,
  issues json,
  -- The page's; empty for a report with a key, and for a page that names none.
  host text not null,
  -- The JSON text; of a longer one the first 64 KiB.
  body text not null,
  is_cut boolean not null,
  -- Of a report with a key: the hash of the key, and its header Idempotency-Key.
  key_hash text,
  idempotency_key text,
  sdk_version text,
  received_at timestamptz(3) not null,
  last_at timestamptz(3) not null,
  times integer not null,
  -- What could be read of the body.
  email text,
  order_id text,
  report_id text,
  amount numeric,
  currency text,
  primary key (team_id, id),
  unique (team_id, identity)
);
create index refused_report_received_at on refused_report (team_id, received_at, id);
create index refused_report_host on refused_report (team_id, host);
create index refused_report_email on refused_report (team_id, email);
create index refused_report_age on refused_report (received_at);

-- How many reports were refused, kept or not, by hour.
create table refused_count (
  team_id uuid not null references team,
  hour timestamptz not null,
  reason text not null,
  -- Empty as above; `*` for all hosts past the first 1,000 of an hour.
  host text not null,
  field text not null,
  reports bigint not null,
  last_at timestamptz(3) not null,
  primary key (team_id, hour, reason, host, field)
);
create index refused_count_age on refused_count (hour);
