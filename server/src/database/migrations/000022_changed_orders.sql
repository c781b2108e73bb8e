-- orderbeacon: no transaction
-- Orders that release 0.2.0 moved. The id says when an order was stored, and only a move makes the order younger. Seconds
-- are added, not an interval, because Citus refuses an update with a function that is not immutable.
update placed_order
set moved_from = to_timestamp(('x' || left(replace(id::text, '-', ''), 12))::bit(48)::bigint / 1000.0)
where reported_by = 'key' and merged_at is not null and moved_from is null
  and created_at > to_timestamp(('x' || left(replace(id::text, '-', ''), 12))::bit(48)::bigint / 1000.0 + 300);
-- The console finds changes of orders that are in its sums already. An order that a report changes within 5 minutes,
-- as the page and the backend of most shops do, is in neither index.
create index concurrently if not exists placed_order_changed on placed_order (team_id, merged_at)
  where merged_at - created_at > interval '5 minutes';
create index concurrently if not exists placed_order_moved on placed_order (team_id, merged_at)
  where moved_from is not null;
