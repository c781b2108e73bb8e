import type { TransactionSql } from 'postgres';
import type { Sql } from '../../src/database/connection/connect.js';

/** PostgreSQL's plan for one statement. */
export interface Explained {
  /** Name of the statement, from the comment on its first line. */
  name: string;
  /** Lines of the output of `explain`. */
  plan: string;
}

/** Fields of postgres.js's queries that its types lack. */
type ExplainableQuery = Promise<Record<string, string>[]> & {
  handler: (query: ExplainableQuery) => void;
  reject(reason: unknown): void;
};
type Template = (strings: TemplateStringsArray, ...values: unknown[]) => ExplainableQuery;

/**
 * Makes a pool that explains each statement before it runs, with the same values and in the same transaction. The plans go into
 * `plans`.
 */
export function explainAll(sql: Sql, plans: Explained[], explain = 'explain'): Sql {
  const ask = sql as unknown as Template;
  const explainFirst: Template = (strings, ...values) => {
    const query = ask(strings, ...values);
    const name = strings.raw && /^\/\* (\w+) \*\//.exec(strings[0]!)?.[1];
    if (!name) return query;
    const texts = [`${explain} ${strings[0]}`, ...strings.slice(1)];
    const { handler } = query;
    query.handler = (executed) => {
      const literal = withLiterals(texts, values);
      const explained = isInsertOfRead.test(literal)
        ? sql.unsafe<Record<string, string>[]>(literal)
        : ask(Object.assign(texts, { raw: texts }), ...values);
      explained.then((rows) => {
        plans.push({ name, plan: rows.map((row) => row['QUERY PLAN']).join('\n') });
        handler(executed);
      }, executed.reject);
    };
    return query;
  };
  return Object.assign(explainFirst, sql, {
    begin: (run: (tx: Sql) => unknown) =>
      sql.begin((tx) => run(explainAll(tx as unknown as Sql, plans, explain))),
    savepoint: (run: (inner: Sql) => unknown) =>
      (sql as unknown as TransactionSql).savepoint((inner) =>
        run(explainAll(inner as unknown as Sql, plans, explain)),
      ),
  }) as unknown as Sql;
}

/** Matches inserts that Citus cannot explain with parameters: the statement reads the rows from distributed tables. */
const isInsertOfRead =
  /\bteam_id = [\s\S]*\binsert into\b[\s\S]*\bselect\b|\binsert into\b[\s\S]*\bselect\b[\s\S]*\bteam_id = /;

/** A part of a statement, or a name, as postgres.js holds it. */
type QueryPart = { strings: readonly string[]; args: unknown[] } | { value: string };

function withLiterals(texts: readonly string[], values: unknown[]): string {
  return texts.map((text, at) => text + (at < values.length ? literalOf(values[at]) : '')).join('');
}

function literalOf(value: unknown): string {
  if (value === null || typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (value instanceof Date) return `'${value.toISOString()}'`;
  if (typeof value === 'object') {
    const part = value as QueryPart;
    return 'strings' in part ? withLiterals(part.strings, part.args) : part.value;
  }
  return `'${String(value).replaceAll("'", "''")}'`;
}

/** Finds the step of a plan that read or left out the most rows, and returns their number. */
export function mostRows(plan: string): number {
  const counts = plan.matchAll(/(?:rows=|Rows Removed by [\w ]+: )([\d.]+)/g);
  return Math.max(...[...counts].map(([, count]) => Number(count)));
}
