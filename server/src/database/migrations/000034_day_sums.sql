-- Sums by day in UTC of what order_sum and order_origin_sum hold, so that the figures of a year are those of some thousand
-- rows.
create table order_day_sum (
  team_id uuid not null,
  day timestamptz not null,
  is_test boolean not null,
  currency text not null,
  reported_by text not null,
  orders bigint not null,
  amount numeric not null,
  primary key (team_id, day, is_test, currency, reported_by)
);

create table order_origin_day_sum (
  team_id uuid not null,
  day timestamptz not null,
  is_test boolean not null,
  touch text not null,
  kind text not null,
  source text not null,
  medium text not null,
  campaign text not null,
  currency text not null,
  orders bigint not null,
  confirmed bigint not null,
  amount numeric not null,
  primary key (team_id, day, is_test, touch, kind, source, medium, campaign, currency)
);

-- The days whose sums these tables hold: from the first one up to before the second.
alter table order_sum_range
  add column days_from timestamptz not null default '2000-01-01Z',
  add column days_to timestamptz not null default '2000-01-01Z';

-- As in 000028_distribute_new_tables.sql.
do $$ begin if to_regclass('pg_catalog.pg_dist_partition') is not null then
  perform create_distributed_table(name::regclass, 'team_id', colocate_with => 'placed_order')
  from unnest(array['order_day_sum', 'order_origin_day_sum']) as name
  where exists (select from pg_dist_partition where logicalrelid = 'placed_order'::regclass and partmethod = 'h')
; end if; end $$;
