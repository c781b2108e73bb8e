-- orderbeacon: no transaction
-- A backend's report takes its touches from the latest order of the same visitor.
create index concurrently if not exists placed_order_visitor on placed_order (team_id, visitor_id)
  where visitor_id is not null;
