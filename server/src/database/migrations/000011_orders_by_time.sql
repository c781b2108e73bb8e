-- orderbeacon: no transaction
-- Lists by time, and counts of a span of time, read no more orders than they need.
create index concurrently if not exists placed_order_created_at on placed_order (team_id, created_at, id);
