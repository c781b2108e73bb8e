-- On a Citus cluster whose orders are distributed, the tables that are new since release 0.2.0 are distributed with them,
-- because a server joins them with the orders. A statement ends with a semicolon at the end of a line, so the others stand
-- within lines.
do $$ begin if to_regclass('pg_catalog.pg_dist_partition') is not null then
  perform create_distributed_table(name::regclass, 'team_id', colocate_with => 'placed_order')
  from unnest(array['order_key', 'order_sum', 'order_sum_range']) as name
  where exists (select from pg_dist_partition where logicalrelid = 'placed_order'::regclass and partmethod = 'h')
    and not exists (select from pg_dist_partition where logicalrelid = name::regclass and partmethod = 'h')
; end if; end $$;
