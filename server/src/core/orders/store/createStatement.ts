import type { Fragment, Sql } from '../../../database/connection/connect.js';

/** Texts between the values of a statement, or of a part of one. */
interface Part {
  texts: string[];
  values: unknown[];
}

/** Stands in a statement for a value that each run gives. */
interface Slot {
  at: number;
}

/**
 * Puts the parts of a statement together once, for one that runs so often that its parts cost more than its values: postgres.js
 * builds and reads each of them anew for each run. Each run is then one text with values, which PostgreSQL prepares once.
 * @param write is called once, with a `sql` that knows fragments, names and `unsafe`, and with the maker of places
 * @returns runs the statement; `values[n]` stands wherever `place(n)` stood
 */
export function createStatement<Row extends object>(
  write: (sql: Sql, slot: (at: number) => string) => Fragment,
): (sql: Sql, values: readonly string[]) => PromiseLike<Row[]> {
  // The types know values only: a place goes through them as the text that it stands for.
  const slot = (at: number) => ({ at }) as unknown as string;
  const { texts, values: written } = append(write(recorder, slot) as unknown as Part, {
    texts: [],
    values: [],
  });
  const template = Object.assign(texts, { raw: texts });
  return (sql, values) => {
    const run = sql as unknown as (texts: string[], ...values: unknown[]) => PromiseLike<Row[]>;
    return run(template, ...written.map((value) => (isSlot(value) ? values[value.at] : value)));
  };
}

/** Writes parts in place of queries; a name in quotes, as postgres.js does. */
const recorder = Object.assign(
  (texts: string | readonly string[], ...values: unknown[]): Part =>
    typeof texts === 'string' ? { texts: [`"${texts}"`], values } : { texts: [...texts], values },
  { unsafe: (text: string): Part => ({ texts: [text], values: [] }) },
) as unknown as Sql;

/** Adds a part, and the parts in it, to the end of a flat one. */
function append({ texts, values }: Part, flat: Part): Part {
  texts.forEach((text, at) => {
    flat.texts.push(`${flat.texts.pop() ?? ''}${text}`);
    if (at === values.length) return;
    const value = values[at];
    if (isPart(value)) append(value, flat);
    else {
      flat.values.push(value);
      flat.texts.push('');
    }
  });
  return flat;
}

function isSlot(value: unknown): value is Slot {
  return typeof value === 'object' && value !== null && 'at' in value;
}

function isPart(value: unknown): value is Part {
  return typeof value === 'object' && value !== null && 'texts' in value;
}
