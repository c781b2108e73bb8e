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
-- count here as if it stood in the column of its own, so that a retry finds them whichever server it reaches.
drop index concurrently if exists placed_order_idempotency_key;
create unique index concurrently placed_order_idempotency_key
  on placed_order (
    team_id, coalesce(idempotency_key, case when reported_by = 'key' then report_id end), is_test
  ) where coalesce(idempotency_key, case when reported_by = 'key' then report_id end) is not null;

-- Erasing or exporting a person looks for their orders, and so does the foreign key when a person goes.
drop index concurrently if exists placed_order_person;
create index concurrently placed_order_person on placed_order (team_id, person_id);

-- Moves the keys that release 0.1.0 kept in report_id: of a thousand orders at a time, so that no report waits long.
-- The ids that the SDK makes begin with "ob:". No line of it ends with a semicolon, for that ends a statement here.
do $$ declare team_now uuid; seen uuid; upto uuid; begin
  for team_now in select id from team loop
    seen := '00000000-0000-0000-0000-000000000000'; loop
      select id into upto from (
        select id from placed_order where team_id = team_now and id > seen order by id limit 1000
      ) batch order by id desc limit 1; exit when upto is null
      ; update placed_order set idempotency_key = report_id, report_id = null
      where team_id = team_now and id > seen and id <= upto and idempotency_key is null
        and report_id is not null and reported_by <> 'browser'
        and (reported_by = 'key' or report_id not like 'ob:%')
      ; commit
      ; seen := upto
    ; end loop
  ; end loop
; end $$;

drop index concurrently if exists placed_order_team_id_order_id_idx;
drop index concurrently if exists placed_order_team_id_report_id_idx;
