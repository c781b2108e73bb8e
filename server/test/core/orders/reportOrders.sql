/* reportOrders */
    with 
    sender as materialized (
      select ordinality as sender, "keyHash" is not null as has_key,
        coalesce(api_key.mode = 'test', allowed.is_test, false) as is_test,
        case
          when "keyHash" is null then case when allowed.is_test is null then 'domain_not_allowed' end
          when api_key.id is null then 'invalid_api_key'
          when api_key.team_id <> $1 then 'team_mismatch'
        end as refusal,
        allowed.requires_signature
      from rows from (
        json_to_recordset($2::text::json) as ("keyHash" text, "domainEntries" text[])
      ) with ordinality
      left join api_key on api_key.hash = "keyHash" and api_key.revoked_at is null
      left join lateral (
        select domain.is_test, domain.requires_signature from domain
        where domain.team_id = $3 and domain.entry = any("domainEntries")
        order by array_position("domainEntries", domain.entry)
        limit 1
      ) allowed on "keyHash" is null
    ), report as (
      select *
    from (select unnest(string_to_array($4, E'\x1f', '')::uuid[]) as "id", unnest(string_to_array($5, E'\x1f', '')::uuid[]) as "personId", unnest(string_to_array($6, E'\x1f', '')::int[]) as "sender", unnest(string_to_array($7, E'\x1f', '')::text[]) as "orderNumber", unnest(string_to_array($8, E'\x1f', '')::text[]) as "email", unnest(string_to_array($9, E'\x1f', '')::text[]) as "reportId", unnest(string_to_array($10, E'\x1f', '')::text[]) as "idempotencyKey", unnest(string_to_array($11, E'\x1f', '')::text[]) as "host", unnest(string_to_array($12, E'\x1f', '')::json[]) as "names", unnest(string_to_array($13, E'\x1f', '')::json[]) as "said", unnest(string_to_array($14, E'\x1f', '')::boolean[]) as "isRepeated", unnest(string_to_array($15, E'\x1f', '')::boolean[]) as "signedAsTest", unnest(string_to_array($16, E'\x1f', '')::timestamptz[]) as "createdAt", unnest(string_to_array($17, E'\x1f', '')::text[]) as "orderId", unnest(string_to_array($18, E'\x1f', '')::numeric[]) as "amount", unnest(string_to_array($19, E'\x1f', '')::text[]) as "currency", unnest(string_to_array($20, E'\x1f', '')::text[]) as "source", unnest(string_to_array($21, E'\x1f', '')::text[]) as "name", unnest(string_to_array($22, E'\x1f', '')::json[]) as "items", unnest(string_to_array($23, E'\x1f', '')::text[]) as "visitorId", unnest(string_to_array($24, E'\x1f', '')::json[]) as "firstTouch", unnest(string_to_array($25, E'\x1f', '')::json[]) as "lastTouch", unnest(string_to_array($26, E'\x1f', '')::json[]) as "extra") r
    ), judged as (
      select report.*, has_key, is_test,
        coalesce(refusal, case
          when "signedAsTest" <> is_test then 'invalid_signature'
          when requires_signature and "signedAsTest" is null then 'signature_required'
        end) as refusal,
        null::json as "visitorFirst", null::json as "visitorLast"
      from report join sender using (sender)
      
    ), stored as (
      insert into placed_order (
        team_id, id, order_number, person_id, report_id, order_id, amount, currency, source, name, items, visitor_id, first_touch, last_touch, extra, said, is_test, reported_by, host, created_at
      )
      select $27, id, "orderNumber", "personId", "reportId", "orderId", "amount", "currency", "source", "name", "items", "visitorId", coalesce("firstTouch", "visitorFirst"), coalesce("lastTouch", "visitorLast"), "extra",
        case
          when "visitorFirst" is null and "visitorLast" is null then said
          else (coalesce(said::jsonb, '{}') || jsonb_build_object('earlier', jsonb_build_object('firstTouch', "visitorFirst", 'lastTouch', "visitorLast")))::json
        end,
        is_test, case when has_key then 'key' when "signedAsTest" is null then 'browser' else 'both' end, host,
        "createdAt"
      from judged
      where refusal is null 
      order by "orderId", names::text, "reportId"
      on conflict do nothing
      returning *
    ),  buyer as (
      select distinct on ("personId") "personId", email, judged.name,
        judged.name is not null and has_key and not judged.is_test as name_by_key
      from judged join stored using (id)
      order by "personId", name_by_key desc, judged.name is null, id
    ), met as (
      insert into person (team_id, id, email, name, name_by_key)
      select $28, "personId", email, name, name_by_key from buyer
      on conflict (team_id, id) do update set name = excluded.name, name_by_key = excluded.name_by_key
        where excluded.name is not null and (person.name is null or (excluded.name_by_key and not person.name_by_key))
    ), "of_listener_5" as (
      insert into hook_delivery (team_id, id, hook_id, type, subject_id, data)
      with subscribed as materialized (
        select id, is_test from hook where hook.team_id = $29 and hook.disabled_at is null and $30 = any(hook.events)
      )
      select $31, placed.id, subscribed.id, 'order.created', placed.id, row_to_json(placed)
      from subscribed cross join lateral (
        select * from (
        select 
      o.id, o.order_number as "orderNumber", o.report_id as "reportId", case when judged.names is null then '[]' else (
            select coalesce(json_agg(distinct value), '[]') from json_to_recordset(judged.names) as named (value text)
          ) end as keys,
      case when o.shares_id_with is not null then (
        select first.order_number from placed_order first where first.team_id = $32 and first.id = o.shares_id_with
      ) end as "sharesIdWith",
      o.person_id as "personId", judged.email as email, o.order_id as "orderId", o.amount as "amount", o.currency as "currency", o.source as "source", o.name as "name", o.items as "items", o.visitor_id as "visitorId", o.first_touch as "firstTouch", o.last_touch as "lastTouch", o.extra as "extra", 0 as refunded,
      o.is_test as "isTest", o.reported_by as "reportedBy", o.created_at as "createdAt"
        from stored o join judged using (id)) each where each."isTest" = subscribed.is_test offset 0
      ) placed)
    select judged.id, judged.refusal, judged.is_test as "isTest", stored.id is not null as "isNew", null as "newLive"
    from judged left join stored using (id)
    where judged.refusal is not null or stored.id is null or judged.is_test
    union all
    select $33, null, false, true, count(*)::int from stored where not is_test
