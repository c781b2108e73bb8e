import type { Sql } from '../../../../database/connection/connect.js';
import { asJson } from '../../../../database/parameters.js';
import type { Uuid } from '../../../../values/ids.js';
import { filledRow } from '../../defaults.js';
import { fieldNames, fieldsByName, type OrderFields } from '../../fields.js';
import { type AuthorizedReport, reportedByOf } from '../../report.js';

/**
 * Stores the orders of reports of one team whose buyers are stored, and resolves with the ids of the new orders. A report
 * that shares an identifier with a stored order is left out. The rows are `values`, so that each names its team and tables
 * can be spread by team. Each number of rows is a prepared statement of its own: the last row may be repeated, so that there
 * are few.
 */
export function addOrders(tx: Sql, teamId: Uuid, reports: AuthorizedReport[]) {
  const rows = reports.map((sent) => {
    const { said, ...money } = filledRow(sent);
    const report = { ...sent, ...money };
    return {
      team_id: teamId,
      id: report.id,
      order_number: report.orderNumber,
      person_id: report.personId,
      report_id: report.reportId,
      ...fieldsOf(tx, report),
      said: asJson(tx, sent.earlier ? { ...said, earlier: sent.earlier } : said),
      is_test: report.isTest,
      reported_by: reportedByOf(sent),
      host: report.host,
      created_at: report.createdAt,
    };
  });
  return tx<{ id: Uuid }[]>`/* addOrders */
    insert into placed_order ${tx(rows)}
    on conflict do nothing
    returning id`;
}

/** The fields of a report by their columns. */
function fieldsOf(
  tx: Sql,
  report: Omit<OrderFields, 'amount'> & { amount: number },
): Record<string, unknown> {
  return Object.fromEntries(
    fieldNames.map((name) => {
      const { column, type } = fieldsByName[name];
      const value = report[name];
      return [column, type === 'json' ? asJson(tx, value as object | null) : value];
    }),
  );
}
