-- Shop systems whose signed webhooks count as key reports. The token is the last part of the source's URL. Two rows of
-- api_key, live and test, vouch for what a source says. Nobody has these keys, and lists leave them out.
create table source (
  team_id uuid not null references team,
  id uuid not null,
  kind text not null check (kind in ('stripe', 'shopify', 'woocommerce')),
  -- Then everything it says is a test, whatever the event says.
  is_test boolean not null,
  token text not null,
  -- As the provider shows it, because signatures are computed with it. Null until it is known.
  secret text,
  created_at timestamptz(3) not null default now(),
  -- What became of the last event, for the setup page.
  last_event_at timestamptz(3),
  last_outcome text,
  primary key (team_id, id)
);
alter table api_key add column source_id uuid;

-- The orders that a source has told of in the last 30 days, and when it did so last; for the setup page only.
create table source_event (
  team_id uuid not null,
  source_id uuid not null,
  placed_order_id uuid not null,
  at timestamptz(3) not null,
  primary key (team_id, source_id, placed_order_id)
);
create index source_event_at on source_event (team_id, at);

do $$ begin if to_regclass('pg_catalog.pg_dist_partition') is not null then
  perform create_distributed_table(name::regclass, 'team_id', colocate_with => 'placed_order')
  from unnest(array['source', 'source_event']) as name
  where exists (select from pg_dist_partition where logicalrelid = 'placed_order'::regclass and partmethod = 'h')
    and not exists (select from pg_dist_partition where logicalrelid = name::regclass and partmethod = 'h')
; end if; end $$;
