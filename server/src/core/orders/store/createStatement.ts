import type { Fragment, Sql } from '../../../database/connection/connect.js';

/** Texts of a statement or a part of one, with the values between them. */
interface Part {
  texts: string[];
  values: unknown[];
}

/** A placeholder in a statement for a value that each run supplies. */
interface Slot {
  at: number;
}

/**
 * Joins the parts of a statement once. It serves statements that run so often that joining costs more than the values: postgres.js
 * builds and reads all parts again for each run. The result is one text with values, which PostgreSQL prepares once.
 * @param write called once, with a `sql` that supports fragments, names and `unsafe`, and with a function that creates slots
 * @returns runs the statement; `values[n]` replaces `slot(n)`
 */
export function createStatement<Row extends object>(
  write: (sql: Sql, slot: (at: number) => string) => Fragment,
): (sql: Sql, values: readonly string[]) => PromiseLike<Row[]> {
  // The types allow only values, so a slot has the type of the text that it stands for.
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

/** Records parts instead of creating queries. Quotes names as postgres.js does. */
const recorder = Object.assign(
  (texts: string | readonly string[], ...values: unknown[]): Part =>
    typeof texts === 'string' ? { texts: [`"${texts}"`], values } : { texts: [...texts], values },
  { unsafe: (text: string): Part => ({ texts: [text], values: [] }) },
) as unknown as Sql;

/** Appends a part, and the parts in it, to a flat part. */
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
