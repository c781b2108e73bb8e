-- orderbeacon: breaks older servers

-- What one speaker said about one object: a shop order, a payment, a refund, or all that one page, file or backend reported. An
-- order with a single report of a page or backend has none: its row says it. Written by merges. Read when more is said.
create table statement (
  team_id uuid not null,
  is_test boolean not null,
  -- The provider's id, or what tells a report from others, such as page:1001:<person>.
  object text collate "C" not null,
  -- Null while it waits for its order. No foreign key, as in order_key.
  placed_order_id uuid,
  -- The buyer whom it names now; null for none, and once the buyer was erased.
  person_id uuid,
  -- `refund`, `end` or `page` while it waits; each has its own bound and end.
  waits_as text check (waits_as in ('refund', 'end', 'page')),
  waits_since timestamptz(3),
  -- All that is remembered of the object, as `SaidObject` of `core/orders/merge`.
  said json not null,
  primary key (team_id, is_test, object)
);
create index statement_order on statement (team_id, placed_order_id) where placed_order_id is not null;
create index statement_waiting on statement (team_id, waits_as, waits_since) where placed_order_id is null;
create index statement_person on statement (team_id, person_id) where person_id is not null;

-- A name has a kind, and one object or another that says it. Several orders can have one number.
delete from order_key where key ~ '^(named-by-backend|named-by-shop):' and amount is null;
alter table order_key drop constraint order_key_pkey;
alter table order_key
  add column kind text not null default 'provider',
  add column object text not null default '',
  -- Of an `Idempotency-Key`: the number and the buyer that its report said, each null if it did not.
  add column number text,
  add column person_id uuid,
  alter column placed_order_id drop not null;
-- One rewrite of the table, before it has its key again: updates took as long as all the rest of this file.
alter table order_key
  alter column key type text collate "C",
  alter column kind type text using case
    when amount is not null then 'idempotency'
    when key ~ '^forgotten:' then 'forgotten'
    when key ~ '^(ord_[0-9a-z]{26}|ORD-[0-9A-Z]{10,13})$' then 'alias'
    else 'provider'
  end,
  -- Ids of providers that a shop system's event brought: what is stored of them is no statement of an object yet.
  alter column object type text collate "C" using case
    when amount is null and key !~ '^(forgotten:|(ord_[0-9a-z]{26}|ORD-[0-9A-Z]{10,13})$)' then 'legacy'
    else ''
  end;
alter table order_key add primary key (team_id, key, is_test, kind, object);
-- Orders of which a number is not the one that they show, or is shared, and what waits: the step behind an answer looks there.
create index order_key_waiting on order_key (team_id, key) where placed_order_id is null or kind in ('number', 'shopOrder');

-- A refund that waits is a statement without an order.
insert into statement (team_id, is_test, object, waits_as, waits_since, said)
select team_id, is_test,
  case when source_id is null and refund_id !~ '^(re|pyr|du|dp)_' and reason is distinct from 'dispute'
    then 'refund:' || refund_id else refund_id end,
  'refund', waits_since, json_build_object(
    'speaker', case when source_id is null and refund_id !~ '^(re|pyr|du|dp)_' and reason is distinct from 'dispute'
      then 'backend' else 'shop' end,
    'kind', 'refund',
    'object', case when source_id is null and refund_id !~ '^(re|pyr|du|dp)_' and reason is distinct from 'dispute'
      then 'refund:' || refund_id else refund_id end,
    'names', (
      select coalesce(json_agg(json_build_object('kind', kind, 'value', value)), '[]')
      from (values ('number', order_id), ('provider', payment_id)) as named (kind, value) where value is not null
    ),
    'arrived', '00000000-0000-7000-8000-000000000000',
    'created', to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'isDated', true,
    'parts', json_build_object(
      'state', json_build_object('version', null, 'askedAt', null, 'isCorrected', false, 'stage', 0,
        'arrived', '00000000-0000-7000-8000-000000000000', 'digests', '[]'::json,
        'value', case when is_taken_back then 'ended' else 'paid' end),
      'refunds', json_build_object('version', null, 'askedAt', null, 'isCorrected', false, 'stage', 0,
        'arrived', '00000000-0000-7000-8000-000000000000', 'digests', '[]'::json,
        'value', json_build_array(json_build_object('refundId', refund_id, 'amount', amount::text, 'currency', null,
          'reason', reason, 'createdAt', to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))))
    ),
    'isWholeList', false, 'of', null, 'since', null, 'host', null, 'wasPaid', true, 'buyers', '[]'::json, 'amounts', '[]'::json,
    'namedAt', null, 'noneAt', null, 'erasedAt', null, 'refundedAt', '{}'::json, 'isMarked', false
  )
from refund where placed_order_id is null;
insert into order_key (team_id, is_test, kind, key, object)
select team_id, is_test, kind, value, object from (
  select refund.team_id, refund.is_test, 'number' as kind, order_id as value, case
    when source_id is null and refund_id !~ '^(re|pyr|du|dp)_' and reason is distinct from 'dispute'
    then 'refund:' || refund_id else refund_id end as object
  from refund where placed_order_id is null and order_id is not null
  union all
  select refund.team_id, refund.is_test, 'provider', payment_id, case
    when source_id is null and refund_id !~ '^(re|pyr|du|dp)_' and reason is distinct from 'dispute'
    then 'refund:' || refund_id else refund_id end
  from refund where placed_order_id is null and payment_id is not null
) waiting;
delete from refund where placed_order_id is null;

-- Rows of refunds follow from the statements of their order, each with what it counts there.
drop index refund_waiting;
drop index refund_waiting_payment;
alter table refund
  add column object text collate "C" not null default '',
  -- The currency that was said; null for that of the order.
  add column said_currency text,
  alter column refund_id type text collate "C",
  alter column placed_order_id set not null,
  drop column order_id,
  drop column payment_id,
  drop column waits_since;
alter table refund drop constraint refund_pkey;
alter table refund add primary key (team_id, placed_order_id, object, refund_id);
drop index refund_order;

-- Of a shop system's event: its object, names and version beyond the report, which a correction keeps.
alter table refused_report add column statement json;

-- The system's collation may change under the data: then an index by it no longer finds what it has.
alter table placed_order
  alter column order_id type text collate "C",
  alter column report_id type text collate "C",
  alter column order_number type text collate "C",
  drop column changed_at;
create index placed_order_shared on placed_order (team_id, order_id) where shares_id_with is not null;
alter table api_key alter column hash type text collate "C";
alter table domain alter column entry type text collate "C";
alter table product alter column slug type text collate "C";
alter table refused_report alter column identity type text collate "C";
alter table refused_count
  alter column reason type text collate "C",
  alter column host type text collate "C",
  alter column field type text collate "C";
alter table hook_refused alter column kind type text collate "C", alter column name type text collate "C";
alter table console_link alter column hash type text collate "C";
alter table console_session alter column hash type text collate "C";
alter table order_day alter column reported_by type text collate "C", alter column currency type text collate "C";
alter table order_origin_day
  alter column touch type text collate "C",
  alter column part type text collate "C",
  alter column kind type text collate "C",
  alter column name type text collate "C",
  alter column currency type text collate "C";
