-- Addresses of others that are told of a team's events.
create table hook (
  team_id uuid not null references team,
  id uuid not null,
  url text not null,
  events text[] not null,
  -- Told of test orders only; otherwise of live ones only.
  is_test boolean not null,
  format text not null check (format in ('standard', 'slack')),
  -- Of signatures, as its owner was shown it: `whsec_…`.
  secret text not null,
  -- True where private addresses may be called.
  allows_private boolean not null,
  created_at timestamptz(3) not null default now(),
  -- Time of the first failed attempt since the last one that succeeded.
  failing_since timestamptz(3),
  -- Time of the last failed attempt.
  failed_at timestamptz(3),
  -- Null while it is told.
  disabled_at timestamptz(3),
  disabled_reason text,
  primary key (team_id, id)
);

-- What a hook is told, written in the transaction that it tells of. It names its subject, an order or a subscription, which
-- is read for each attempt, so that nothing of an erased buyer stays here or is sent.
create table hook_delivery (
  team_id uuid not null,
  id uuid not null,
  hook_id uuid not null,
  type text not null,
  subject_id uuid,
  -- What is told where there is no subject.
  data json,
  created_at timestamptz(3) not null default now(),
  -- Time of the next attempt; null when there is none. An attempt moves it on first, so that no other server makes the same.
  next_at timestamptz(3) default now(),
  attempts integer not null default 0,
  -- Of the last attempt.
  attempted_at timestamptz(3),
  status integer,
  error text,
  answer text,
  took_ms integer,
  -- Time of the attempt that succeeded.
  delivered_at timestamptz(3),
  primary key (team_id, id)
);
create index hook_delivery_due on hook_delivery (team_id, hook_id, next_at) where next_at is not null;
create index hook_delivery_listed on hook_delivery (team_id, hook_id, created_at, id);
-- Deliveries whose last attempt failed.
create index hook_delivery_failed on hook_delivery (team_id, hook_id, created_at, id)
  where error is not null and delivered_at is null;
-- Deliveries of an order or a subscription that is erased.
create index hook_delivery_subject on hook_delivery (team_id, subject_id);

-- Silence of teams that a hook is told of. Each minute one server claims the row and looks at the team's orders and refusals.
create table hook_watch (
  team_id uuid not null references team,
  checked_at timestamptz(3) not null,
  -- The last time without checks, which is no silence: no server ran. Such times less than a day apart are one.
  missed_from timestamptz(3),
  missed_to timestamptz(3),
  -- Time of the last order before the silence that was told; null while orders come.
  stopped_since timestamptz(3),
  primary key (team_id)
);

-- Hosts and fields whose refusals were told in the last days.
create table hook_refused (
  team_id uuid not null references team,
  -- `host` or `field`; `more` where there were too many of the kind that is its name.
  kind text not null,
  name text not null,
  told_at timestamptz(3) not null,
  primary key (team_id, kind, name)
);

-- As in 000028_distribute_new_tables.sql.
do $$ begin if to_regclass('pg_catalog.pg_dist_partition') is not null then
  perform create_distributed_table(name::regclass, 'team_id', colocate_with => 'placed_order')
  from unnest(array['hook', 'hook_delivery', 'hook_watch', 'hook_refused']) as name
  where exists (select from pg_dist_partition where logicalrelid = 'placed_order'::regclass and partmethod = 'h')
    and not exists (select from pg_dist_partition where logicalrelid = name::regclass and partmethod = 'h')
; end if; end $$;
