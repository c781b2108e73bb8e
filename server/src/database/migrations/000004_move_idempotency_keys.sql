-- orderbeacon: no transaction
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
