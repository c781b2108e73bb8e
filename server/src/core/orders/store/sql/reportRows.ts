import type { Fragment, Sql } from '../../../../database/connection/connect.js';
import type { Uuid } from '../../../../values/ids.js';
import { filledRow } from '../../defaults.js';
import { fieldNames, fieldsByName } from '../../fields.js';
import type { Identifier } from '../../merge/statement.js';
import { identifiersOfReport, isOfTwoNames, type PreparedReport } from '../../report.js';
import { createStatement } from '../createStatement.js';

/** A column of the rows that are sent. */
interface Column {
  name: string;
  type: 'uuid' | 'int' | 'text' | 'numeric' | 'json' | 'boolean' | 'timestamptz';
}

const ofType = (type: Column['type'], ...names: string[]): Column[] => names.map((name) => ({ name, type }));

/** All columns, in the order in which they are sent. */
const columns: readonly Column[] = [
  ...ofType('uuid', 'id', 'personId'),
  ...ofType('int', 'sender'),
  ...ofType('text', 'orderNumber', 'email', 'reportId', 'idempotencyKey', 'host'),
  ...ofType('json', 'names', 'said'),
  ...ofType('boolean', 'isRepeated', 'signedAsTest'),
  ...ofType('timestamptz', 'createdAt'),
  ...fieldNames.map((name) => ({ name, type: fieldsByName[name].type })),
];

/** Separates the cells of a column. No storable text contains it, and JSON always escapes it. */
const separator = '\x1f';

/** Features that a batch needs of its statement. Each combination has a separate statement text. */
export interface BatchShape {
  /** Set if a report has a provider's id or an `Idempotency-Key`, or needs rows in `statement`. */
  haveNames: boolean;
  /** Set if a report with an API key has a visitor but no touches. It gets those of the visitor's latest order. */
  askVisitors: boolean;
}

/** Reports in the form in which they are sent to the database. */
export interface SentReports {
  shape: BatchShape;
  /** Each sender of the reports once, as JSON: an API key's hash or a host. A row refers to its sender by number, from 1. */
  senders: string;
  /** The cells of each column. An empty cell is null, because no value of a report is empty. */
  columns: string[];
}

/**
 * Turns the columns into rows. One JSON text for all rows took PostgreSQL twice as long. The functions are in `select`, where they
 * return their rows in parallel. In `from`, each one's rows would first be materialized, which also took twice as long.
 */
export function rowsOf(sql: Sql, { columns: cells }: SentReports): Fragment {
  const read = columns.map(
    ({ name, type }, at) =>
      sql`unnest(string_to_array(${cells[at]!}, E'\\x1f', '')::${sql.unsafe(type)}[]) as ${sql(name)}`,
  );
  return sql`select *
    from (select ${read.reduce((before, each) => sql`${before}, ${each}`)}) r`;
}

/**
 * Creates a statement about reports of one team. Its text is built once for each shape of a batch.
 * @param write builds the text; it gets slots for the values of a run, such as the first report's id
 */
export function createReportStatement<Row extends object>(
  write: (sql: Sql, teamId: Uuid, sent: SentReports, firstId: Uuid) => Fragment,
): (sql: Sql, teamId: Uuid, reports: PreparedReport[]) => PromiseLike<Row[]> {
  const statements = new Map<string, ReturnType<typeof createStatement<Row>>>();
  return (sql, teamId, reports) => {
    const { shape, senders, columns: cells } = sendReports(reports);
    const name = Object.values(shape).join();
    const run =
      statements.get(name) ??
      createStatement<Row>((parts, slot) => {
        const sent = { shape, senders: slot(2), columns: cells.map((_, at) => slot(3 + at)) };
        return write(parts, slot(0), sent, slot(1));
      });
    statements.set(name, run);
    return run(sql, [teamId, reports[0]!.id, senders, ...cells]);
  };
}

/** Writes reports as one text per column. */
function sendReports(reports: PreparedReport[]): SentReports {
  const senders: Pick<PreparedReport, 'keyHash' | 'domainEntries'>[] = [];
  const numberOf = new Map<string, number>();
  const seen = new Set<string>();
  const own: Record<string, unknown[]> = {
    sender: [],
    names: [],
    isRepeated: [],
    currency: [],
    source: [],
    said: [],
  };
  let haveNames = false;
  for (const report of reports) {
    const { keyHash, domainEntries } = report;
    const name = keyHash ?? `host ${report.host}`;
    const sender = numberOf.get(name) ?? senders.push({ keyHash, domainEntries });
    numberOf.set(name, sender);
    const identifiers = identifiersOfReport(report);
    // A report that needs rows in `statement` is only authorized here, and stored in the second step.
    const isAside = isOfTwoNames(report);
    haveNames ||= identifiers.length > 0 || isAside;
    const { currency, source, said } = filledRow(report);
    own.sender!.push(sender);
    own.names!.push(identifiers.length > 0 ? identifiers : null);
    own.isRepeated!.push(isAside || identifiers.some((each) => seen.has(nameId(each))) || null);
    own.currency!.push(currency);
    own.source!.push(source);
    own.said!.push(said);
    for (const each of identifiers) seen.add(nameId(each));
  }
  const cells = columns.map(
    ({ name }) => own[name] ?? reports.map((report) => report[name as keyof PreparedReport]),
  );
  return {
    shape: { haveNames, askVisitors: reports.some(needsTouches) },
    senders: JSON.stringify(senders),
    columns: cells.map((column, at) => writeColumn(column, columns[at]!.type)),
  };
}

const nameId = ({ kind, value }: Identifier) => `${kind} ${value}`;

function needsTouches({ keyHash, visitorId, firstTouch, lastTouch }: PreparedReport): boolean {
  return keyHash !== null && visitorId !== null && firstTouch === null && lastTouch === null;
}

/**
 * Writes the cells of a column. A column of nulls becomes an empty text, which PostgreSQL reads in no time.
 * @throws Error if a cell contains the separator, because cells would shift to other reports
 */
function writeColumn(column: readonly unknown[], type: Column['type']): string {
  const cells = type === 'json' ? column.map((value) => (value ? JSON.stringify(value) : null)) : column;
  const text = cells.join(separator);
  if (text.length === column.length - 1) return '';
  let separators = 0;
  for (let at = text.indexOf(separator); at !== -1; at = text.indexOf(separator, at + 1)) separators++;
  if (separators !== column.length - 1) throw new Error('A text holds the separator of cells.');
  return text;
}
