-- Refunds of orders, by the refundId of the backend or shop system that reported them. A row changes only when its refund
-- finds its order, or when that order is discarded.
--
-- No foreign key to placed_order, because a refund may come before its order. A server of release 0.2.0 that discards an
-- order leaves its refunds here; nothing shows them.
create table refund (
  team_id uuid not null,
  is_test boolean not null,
  refund_id text not null,
  -- The names of the order, as they were said: the caller's own id or ord_…, and an Idempotency-Key of the order.
  order_id text,
  payment_id text,
  -- Null while the refund waits for its order.
  placed_order_id uuid,
  -- In the currency of the order, as it was said; null for all that is left of the order.
  amount numeric,
  reason text,
  -- The time of the refund, not of its row.
  created_at timestamptz(3) not null,
  primary key (team_id, is_test, refund_id)
);
create index refund_order on refund (team_id, placed_order_id) where placed_order_id is not null;
create index refund_waiting on refund (team_id) where placed_order_id is null;
create index refund_time on refund (team_id, is_test, created_at);

-- As in 000028_distribute_new_tables.sql.
do $$ begin if to_regclass('pg_catalog.pg_dist_partition') is not null then
  perform create_distributed_table('refund', 'team_id', colocate_with => 'placed_order')
  from pg_dist_partition where logicalrelid = 'placed_order'::regclass and partmethod = 'h'
; end if; end $$;
