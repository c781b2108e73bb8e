import type { Fragment, Sql } from '../../../database/connection/connect.js';
import { WrongAnswer } from '../../../database/pairRows.js';
import type { Uuid } from '../../../values/ids.js';
import { filledMoney } from '../defaults.js';
import { fieldNames, fieldsByName } from '../fields.js';
import { keysOfReport, type StampedReport } from '../report.js';

/** A column of the rows that travel. */
interface Column {
  name: string;
  type: 'uuid' | 'int' | 'text' | 'numeric' | 'json' | 'boolean' | 'timestamptz';
}

const ofType = (type: Column['type'], ...names: string[]): Column[] => names.map((name) => ({ name, type }));

/** All of them, in their order. */
const columns: readonly Column[] = [
  ...ofType('uuid', 'id', 'personId', 'sharesIdWith'),
  ...ofType('int', 'sender'),
  ...ofType('text', 'orderNumber', 'email', 'reportId', 'idempotencyKey', 'host'),
  ...ofType('json', 'names', 'said'),
  ...ofType('boolean', 'isRepeated', 'signedAsTest'),
  ...ofType('timestamptz', 'createdAt', 'changedAt'),
  ...fieldNames.map((name) => ({ name, type: fieldsByName[name].type })),
];

/** Stands between the cells of a column. In JSON it is always escaped. */
const separator = '\x1f';
/** Marks, where a text has one of both, what stands for it: `0` for itself, `1` for the separator. */
const mark = '\x1e';

// Put together once: the text of a statement is the same for all batches, so that PostgreSQL prepares it once. Functions that
// return many rows step together in a `select`; in `from`, each one's rows would first be written aside, which took twice as long.
const unmarked = columns.map(({ name, type }) =>
  type === 'text'
    ? `replace(replace("${name}", E'\\x1e1', E'\\x1f'), E'\\x1e0', E'\\x1e') as "${name}"`
    : `"${name}"`,
);
const parts = columns.map(({ name, type }) => `, E'\\x1f', '')::${type}[]) as "${name}"`);
const templateOf = (read: string) => {
  const last = parts.length - 1;
  const strings = [
    `select ${read} from (select unnest(string_to_array(`,
    ...parts.map((part, at) => part + (at === last ? ') r' : ', unnest(string_to_array(')),
  ];
  return Object.assign(strings, { raw: strings });
};
const template = templateOf('*');
const marked = templateOf(unmarked.join(', '));

/** Reports as a query, with the senders that its rows name by their number, from 1, and whether any of them has a key or names. */
export interface SentReports {
  rows: Fragment;
  senders: Pick<StampedReport, 'keyHash' | 'domainEntries'>[];
  /** True where a report has a key by which it is known besides its `orderId`. */
  haveNames: boolean;
}

/**
 * Writes reports as a query of one text a column, and lists each key and host of them once. An empty cell is null: no value of a
 * report is empty. One JSON text for all rows took PostgreSQL half as long again to read.
 */
export function sendReports(sql: Sql, reports: StampedReport[]): SentReports {
  const senders: SentReports['senders'] = [];
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
    const keys = keysOfReport(report);
    haveNames ||= keys.length > 0;
    const isUnfilled = report.currency === null || report.source === null;
    const { currency, source, said } = isUnfilled ? filledMoney(report, keyHash !== null) : report;
    own.sender!.push(sender);
    own.names!.push(keys.length > 0 ? keys : null);
    own.isRepeated!.push(keys.some((key) => seen.has(key)) || null);
    own.currency!.push(currency);
    own.source!.push(source);
    own.said!.push(said);
    for (const key of keys) seen.add(key);
  }
  const cells = columns.map(
    ({ name }) => own[name] ?? reports.map((report) => report[name as keyof StampedReport]),
  );
  const isMarked = cells.some((column, at) => columns[at]!.type === 'text' && column.some(hasMark));
  const texts = cells.map((column, at) => writeColumn(column, columns[at]!.type, isMarked));
  const query = sql as unknown as (strings: TemplateStringsArray, ...values: string[]) => Fragment;
  return { senders, haveNames, rows: query(isMarked ? marked : template, ...texts) };
}

function writeColumn(column: readonly unknown[], type: Column['type'], isMarked: boolean): string {
  if (type === 'json') return column.map((value) => (value ? JSON.stringify(value) : null)).join(separator);
  if (type === 'text' && isMarked) return column.map(withMarks).join(separator);
  return column.join(separator);
}

const hasMark = (text: unknown) =>
  typeof text === 'string' && (text.includes(separator) || text.includes(mark));

const withMarks = (text: unknown) =>
  typeof text === 'string' ? text.replaceAll(mark, `${mark}0`).replaceAll(separator, `${mark}1`) : text;

/** Refusals because of the key or the domain; a domain can require a signature, of its own mode. */
export type ReportRefusal =
  | 'invalid_api_key'
  | 'team_mismatch'
  | 'domain_not_allowed'
  | 'invalid_signature'
  | 'signature_required';

/** The verdict on a report that is not stored as a new live order. */
export interface ReportVerdictRow {
  id: Uuid;
  /** The refusal if nothing was stored, or null. */
  refusal: ReportRefusal | null;
  isTest: boolean;
  /** False without a refusal: an order of that mode has one of the identifiers, or that order number, already. */
  isNew: boolean;
}

/** The row that says how many reports have no row of their own. */
export interface CountRow {
  /** New live orders; null in the row of a report. */
  newLive: number | null;
}

/**
 * Returns the exceptions of an answer that speaks of every report.
 * @param rows of each exception, and the count, which has the id of the first report
 * @throws WrongAnswer
 */
export function requireAll(
  rows: (ReportVerdictRow & CountRow)[],
  reports: StampedReport[],
): ReportVerdictRow[] {
  const ids = new Set(reports.map(({ id }) => id));
  const exceptions = rows.filter(({ newLive }) => newLive === null);
  const counts = rows.filter(({ newLive }) => newLive !== null);
  const named = new Set(exceptions.map(({ id }) => id));
  const isWhole =
    counts.length === 1 && counts[0]!.id === reports[0]!.id && named.size + counts[0]!.newLive! === ids.size;
  if (!isWhole || !exceptions.every(({ id }) => ids.has(id))) throw new WrongAnswer();
  return exceptions;
}
