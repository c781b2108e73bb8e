-- Sums of orders by where their buyers came from. They hold the orders that order_sum holds.
create table order_origin_sum (
  team_id uuid not null,
  quarter timestamptz not null,
  is_test boolean not null,
  touch text not null,
  -- 'named', 'direct', 'unknown', or 'others' for the small ones of a quarter together.
  kind text not null,
  -- Empty where the landing has none, and unless it is 'named'.
  source text not null,
  medium text not null,
  campaign text not null,
  -- Empty for the small currencies of a quarter together; their amounts are not added up.
  currency text not null,
  orders bigint not null,
  confirmed bigint not null,
  amount numeric not null,
  primary key (team_id, quarter, is_test, touch, kind, source, medium, campaign, currency)
);

-- As in 000028_distribute_new_tables.sql.
do $$ begin if to_regclass('pg_catalog.pg_dist_partition') is not null then
  perform create_distributed_table('order_origin_sum', 'team_id', colocate_with => 'placed_order')
  from pg_dist_partition where logicalrelid = 'placed_order'::regclass and partmethod = 'h'
; end if; end $$;
