import { readDecimal } from '../../../values/decimal.js';

/** A JSON object of a provider. Its fields are unchecked. */
export type Payload = Record<string, unknown>;

/** Reads an object. Any other value counts as an empty object. */
export function readObject(value: unknown): Payload {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Payload) : {};
}

/** Reads a list of objects. Any other value counts as an empty list, and any other entry as an empty object. */
export function readObjects(value: unknown): Payload[] {
  return Array.isArray(value) ? value.map(readObject) : [];
}

/** Reads a text, trimmed, or a number as text. Null for an empty text and for any other value. */
export function readText(value: unknown): string | null {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : null;
}

/** @returns true for an email in `.invalid` (RFC 2606), such as `deleted@site.invalid`, which WordPress' eraser writes */
export function isErasedEmail(value: unknown): boolean {
  return /@(?:.+\.)?invalid$/i.test(readText(value) ?? '');
}

/** Reads an email. An email that an eraser wrote counts as missing. */
export function readEmail(value: unknown): string | null {
  return isErasedEmail(value) ? null : readText(value);
}

/** Reads one field of each object of a list. */
export function readTexts(list: unknown, field: string): string[] {
  return readObjects(list)
    .map((entry) => readText(entry[field]))
    .filter((text) => text !== null);
}

/**
 * Reads an amount such as `"49.90"`. A text that is not an exact number stays as it is, so that the report is refused
 * and kept.
 */
export function readAmount(value: unknown): unknown {
  return typeof value === 'string' ? (readDecimal(value.trim()) ?? value) : (value ?? undefined);
}

/** Reads the amount of a refund. A value that is not a number becomes text, so that the refund is refused and kept. */
export function readRefunded(value: unknown): number | string {
  const amount = readAmount(value);
  return typeof amount === 'number' ? amount : String(amount);
}

/** Joins the parts of a name. Null if all are empty. */
export function joinName(...parts: unknown[]): string | null {
  return (
    parts
      .map(readText)
      .filter((part) => part !== null)
      .join(' ') || null
  );
}

/** Removes fields that are null, undefined or an empty list. */
export function withoutEmpty(fields: Payload): Payload {
  const isEmpty = (value: unknown) =>
    value === null || value === undefined || (Array.isArray(value) && value.length === 0);
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => !isEmpty(value)));
}
