-- orderbeacon: no transaction
-- Every statement may be run again from the first one on. The test comes last in the unique indexes: servers of
-- release 0.1.0 look orders up without it.

drop index concurrently if exists placed_order_order_id;
create unique index concurrently placed_order_order_id
  on placed_order (team_id, order_id, is_test) where order_id is not null;

drop index concurrently if exists placed_order_report_id;
create unique index concurrently placed_order_report_id
  on placed_order (team_id, report_id, is_test) where report_id is not null;

-- A server of release 0.1.0 that runs beside newer ones goes on to write a backend's key into report_id. Its rows
-- count here as if it stood in the column of its own: a retry is no second order, whichever server it reaches.
drop index concurrently if exists placed_order_idempotency_key;
create unique index concurrently placed_order_idempotency_key
  on placed_order (
    team_id, coalesce(idempotency_key, case when reported_by = 'key' then report_id end), is_test
  ) where coalesce(idempotency_key, case when reported_by = 'key' then report_id end) is not null;

-- Erasing or exporting a person looks for their orders, and so does the foreign key when a person goes.
drop index concurrently if exists placed_order_person;
create index concurrently placed_order_person on placed_order (team_id, person_id);
