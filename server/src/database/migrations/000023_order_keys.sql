-- Every Idempotency-Key that has met an order. `placed_order.idempotency_key` keeps the first key of an order as well,
-- because that is where servers of release 0.2.0 look. They do not see the further keys of an order.
--
-- No foreign key to placed_order: it would look up and lock the order of each report with a key. A server of release
-- 0.2.0 that discards an order leaves its keys here. Such a key is removed when it is used next.
create table order_key (
  team_id uuid not null,
  idempotency_key text not null,
  is_test boolean not null,
  placed_order_id uuid not null,
  -- Of a further key: what its report said, which can be something else than the order says. Null for the first key. The
  -- person is null once they were erased.
  person_id uuid,
  amount numeric,
  currency text,
  primary key (team_id, idempotency_key, is_test)
);
-- The first key of an order is in neither index, so that a new order writes to none.
create index order_key_order on order_key (team_id, placed_order_id) where amount is not null;
create index order_key_person on order_key (team_id, person_id) where person_id is not null;
