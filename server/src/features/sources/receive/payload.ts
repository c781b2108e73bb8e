import { readDecimal } from '../../../values/decimal.js';

/** A JSON object of a provider. Its fields may be anything. */
export type Payload = Record<string, unknown>;

/** Reads an object. Anything else counts as an empty one. */
export function readObject(value: unknown): Payload {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Payload) : {};
}

/** Reads a list of objects. Anything else counts as an empty list, or an empty object in the list. */
export function readObjects(value: unknown): Payload[] {
  return Array.isArray(value) ? value.map(readObject) : [];
}

/** Reads a text or an id, which may be a number. Null for an empty one and for anything else. */
export function readText(value: unknown): string | null {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : null;
}

/** True for an email that nobody has (RFC 2606), such as the `deleted@site.invalid` that WordPress' eraser writes. */
export function isErasedEmail(value: unknown): boolean {
  return /@(?:.+\.)?invalid$/i.test(readText(value) ?? '');
}

/** Reads an email. One that an eraser wrote counts as none. */
export function readEmail(value: unknown): string | null {
  return isErasedEmail(value) ? null : readText(value);
}

/** Reads one field of each object of a list. */
export function readTexts(list: unknown, field: string): string[] {
  return readObjects(list)
    .map((entry) => readText(entry[field]))
    .filter((text) => text !== null);
}

/** Reads an amount such as `"49.90"`. A text that is no exact number stays, so that the report is refused and kept. */
export function readAmount(value: unknown): unknown {
  return typeof value === 'string' ? (readDecimal(value.trim()) ?? value) : (value ?? undefined);
}

/** Reads the amount of a refund. One that is no number stays as text, so that the refund is refused and kept. */
export function readRefunded(value: unknown): number | string {
  const amount = readAmount(value);
  return typeof amount === 'number' ? amount : String(amount);
}

/** Joins the parts of a name. Null when there are none. */
export function joinName(...parts: unknown[]): string | null {
  return (
    parts
      .map(readText)
      .filter((part) => part !== null)
      .join(' ') || null
  );
}

/** Removes fields that are null, undefined or an empty list, so that a report has no field without a value. */
export function withoutEmpty(fields: Payload): Payload {
  const isEmpty = (value: unknown) =>
    value === null || value === undefined || (Array.isArray(value) && value.length === 0);
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => !isEmpty(value)));
}
