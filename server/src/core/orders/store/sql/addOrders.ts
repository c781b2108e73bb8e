import type { Sql } from '../../../../database/connection/connect.js';
import { asJson } from '../../../../database/parameters.js';
import type { Uuid } from '../../../../values/ids.js';
import { filledRow } from '../../defaults.js';
import { fieldNames, fieldsByName, type OrderFields } from '../../fields.js';
import { type AuthorizedReport, reportedByOf } from '../../report.js';

/**
 * Inserts the orders of one team's reports, whose buyers must be stored. Resolves with the ids of the new orders. A report that
 * shares an identifier with a stored order is skipped. The rows are `values`, so that each names its team and tables can be
 * distributed by team. Each number of rows is a separate prepared statement. To keep these few, the last row may be repeated.
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

/** Maps the fields of a report to columns. */
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
