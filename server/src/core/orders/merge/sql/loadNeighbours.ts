import type { Fragment, Sql } from '../../../../database/connection/connect.js';
import { pairRows } from '../../../../database/pairRows.js';
import { anyOf } from '../../../../database/parameters.js';
import { noEmailHost } from '../../../../values/email.js';
import { newUuid, type Uuid } from '../../../../values/ids.js';
import { fieldNames, fieldReader, type OrderFields } from '../../fields.js';
import type { ReportedBy, RowStatement } from '../../storedOrder.js';
import type { FoldedRefund } from '../foldRefunds.js';
import type { Identifier, StatedObject } from '../statement.js';

/** A stored identifier, with its order and object. */
export interface KeptIdentifier {
  kind: Identifier['kind'] | 'alias' | 'forgotten';
  value: string;
  /** The object that has the identifier. Empty for an order that has no rows in `statement`. */
  object: string;
  /** Null if the statement waits. */
  orderId: Uuid | null;
  /** Set only for an `Idempotency-Key`: the values that its report stated; null for a value that it left out. */
  amount: string | null;
  currency: string | null;
  number: string | null;
  personId: Uuid | null;
}

/** A stored order with the fields that placing needs. Times are ISO 8601, amounts exact texts. */
export interface LoadedOrder extends OrderFields {
  id: Uuid;
  orderNumber: string;
  personId: Uuid;
  /** The buyer's email; null if the buyer was erased. */
  email: string | null;
  isErased: boolean;
  /** Set if the buyer has no email, so that the address was made up. */
  hasNoEmail: boolean;
  buyerNamedBy: 'page' | 'key' | null;
  reportId: string | null;
  said: RowStatement | null;
  isTest: boolean;
  reportedBy: ReportedBy;
  host: string | null;
  createdAt: string;
  sharesIdWith: Uuid | null;
  names: KeptIdentifier[];
  refunds: LoadedRefund[];
}

/** A stored refund. If a server before 0.5.0 stored it, its `object` is empty. */
export interface LoadedRefund extends FoldedRefund {
  isOfSource: boolean;
  isTakenBack: boolean;
}

export interface LoadedStatement {
  stated: StatedObject;
  /** Null if the statement waits. */
  orderId: Uuid | null;
}

/** All stored orders and statements that a search found. */
export interface Neighbours {
  orders: LoadedOrder[];
  statements: LoadedStatement[];
  names: KeptIdentifier[];
}

/** Identifiers, objects and orders to search for. */
export interface Wanted {
  names: readonly Identifier[];
  objects: readonly string[];
  orderIds: readonly Uuid[];
}

/**
 * Loads the orders of a mode that have any of some identifiers, in one snapshot. Loads their statements, too, and the waiting
 * statements with these identifiers. A number also finds the shop's own id and vice versa, because a plugin may number orders
 * later. The id of a parent also finds its parts.
 * @throws WrongAnswer if the answer is that of another search, whose orders would take the statement
 */
export async function loadNeighbours(
  sql: Sql,
  teamId: Uuid,
  isTest: boolean,
  { names, objects, orderIds }: Wanted,
): Promise<Neighbours> {
  const search = newUuid();
  const rows = await sql<[Neighbours & { search: Uuid }]>`/* loadNeighbours */
    with wanted as materialized (
      ${selectWanted(sql, names)}
    ), named as materialized (
      -- Name by name, because a planner without statistics would read all names of the team.
      select k.* from wanted cross join lateral (
        select * from order_key
        where team_id = ${teamId} and key = wanted.value and is_test = ${isTest} and kind = wanted.kind offset 0
      ) k
    ), found as materialized (
      ${selectOrders(sql, teamId, isTest)}
      union select placed_order_id from named where placed_order_id is not null
      union select placed_order_id from statement
      where team_id = ${teamId} and is_test = ${isTest} and object = ${anyOf(sql, objects)} and placed_order_id is not null
      union select id from placed_order where team_id = ${teamId} and id = ${anyOf(sql, orderIds, 'uuid')}
    )
    select ${search}::uuid as search, (
      select coalesce(json_agg(json_build_object('stated', said, 'orderId', placed_order_id)), '[]') from (
        select s.* from found cross join lateral (
          select * from statement where team_id = ${teamId} and placed_order_id = found.id offset 0
        ) s
        union all select s.* from (
          select json_array_elements_text(${JSON.stringify(objects)}::text::json) as object
          union select object from named where placed_order_id is null
        ) sought cross join lateral (
          select * from statement
          where team_id = ${teamId} and is_test = ${isTest} and object = sought.object offset 0
        ) s
        where s.placed_order_id is null
      ) stated
    ) as statements, (
      select coalesce(json_agg(json_build_object(
        'kind', kind, 'value', key, 'object', object, 'orderId', placed_order_id, 'amount', amount::text, 'currency', currency,
        'number', number, 'personId', person_id
      )), '[]') from (
        select k.* from found cross join lateral (
          select * from order_key where team_id = ${teamId} and placed_order_id = found.id offset 0
        ) k
        union all select * from named where placed_order_id is null
      ) kept
    ) as names, (
      select coalesce(json_agg(o), '[]') from (
        select o.id, order_number as "orderNumber", person_id as "personId", buyer.email, buyer.id is not null and buyer.email is null as "isErased",
          coalesce(buyer.email like ${`%${noEmailHost}`}, false) as "hasNoEmail",
          case when buyer.name_by_key then 'key' when buyer.name is not null then 'page' end as "buyerNamedBy",
          report_id as "reportId", ${readOthers(sql)}, o.amount::text as amount, said, is_test as "isTest",
          reported_by as "reportedBy", host, ${isoTime(sql, 'o.created_at')} as "createdAt",
          shares_id_with as "sharesIdWith", (
            select coalesce(json_agg(json_build_object(
              'refundId', refund_id, 'object', object, 'amount', amount::text, 'counts', counts::text, 'currency', refund.said_currency,
              'reason', reason, 'createdAt', ${isoTime(sql, 'refund.created_at')}, 'isOfSource', source_id is not null,
              'isTakenBack', is_taken_back
            )), '[]') from refund where refund.team_id = ${teamId} and placed_order_id = o.id
          ) as refunds
        from found cross join lateral (
          select * from placed_order where team_id = ${teamId} and id = found.id offset 0
        ) o left join lateral (
          select id, email, name, name_by_key from person where person.team_id = ${teamId} and person.id = o.person_id limit 1
        ) buyer on true
      ) o
    ) as orders`;
  const [row] = pairRows([search], rows, (each) => each.search);
  const { orders, statements, names: kept } = row!;
  for (const order of orders) order.names = kept.filter(({ orderId }) => orderId === order.id);
  return { orders, statements, names: kept };
}

/**
 * Reads all fields except the amount, which JSON would return as a number. No column may occur twice: Citus would rename the second
 * one.
 */
const readOthers = fieldReader(fieldNames.filter((name) => name !== 'amount'));

/** Selects the identifiers that a search looks for, as `kind` and `value`. */
export const selectWanted = (sql: Sql, names: readonly Identifier[]): Fragment =>
  sql`select distinct kind, value from json_to_recordset(${JSON.stringify(names.flatMap(searched))}::text::json) as w (kind text, value text)`;

/** Selects the ids of orders whose row has a number or a `reportId` in `wanted`. It looks them up one by one, as `named` does. */
export const selectOrders = (sql: Sql, teamId: Uuid, isTest: boolean): Fragment => sql`
  select o.id from wanted cross join lateral (
    select id from placed_order
    where team_id = ${teamId} and order_id = wanted.value and is_test = ${isTest} and shares_id_with is null
    union all select id from placed_order
    where team_id = ${teamId} and order_id = wanted.value and is_test = ${isTest} and shares_id_with is not null
    offset 0
  ) o where wanted.kind = 'number'
  union select o.id from wanted cross join lateral (
    select id from placed_order where team_id = ${teamId} and report_id = wanted.value and is_test = ${isTest} offset 0
  ) o where wanted.kind = 'report'`;

/**
 * Lists the identifiers by which one is searched. A number, a shop's own id and the id of a parent are each searched as all three
 * kinds.
 */
const searched = ({ kind, value }: Identifier) =>
  ofShop.includes(kind) ? ofShop.map((each) => ({ kind: each, value })) : [{ kind, value }];

const ofShop: readonly Identifier['kind'][] = ['number', 'shopOrder', 'parent'];

/** A time as ISO 8601 in UTC, in JavaScript's format. */
const isoTime = (sql: Sql, column: string) =>
  sql`to_char(${sql.unsafe(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
