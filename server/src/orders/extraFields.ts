import type { z } from 'zod';
import { issuesAtMost } from '../values/issues.js';
import { limits } from '../values/limits.js';
import type { Path, Warn } from '../values/warnings.js';
import { type Replace, replaceFields, replaceUnstorable } from './itemTree.js';
import { replacements } from './repairItems.js';
import { complaints } from './reportSchema.js';
import type { ExtraFields } from './storedOrder.js';

const tooLarge = `is too large: fields beyond the contract's may have ${limits.extraBytes} bytes of JSON together`;

/**
 * Makes extra fields of a page's report storable, in place. Leaves out the largest ones until the others fit, with a
 * warning for each. Null when none is left.
 */
export function repairExtra(extra: ExtraFields, warn: Warn): ExtraFields | null {
  replaceIn(extra, (part, value, path) => replacements[part](value, path, warn));
  const tooMany = largestBeyond(extra);
  for (const name of tooMany) warn([name], `${tooLarge}; left out`);
  const kept = Object.entries(extra).filter(([name]) => !tooMany.has(name));
  return kept.length > 0 ? Object.fromEntries(kept) : null;
}

/** Lists why extra fields of a report with a key cannot be stored. */
export function checkExtra(extra: ExtraFields): z.core.$ZodIssue[] {
  const issues: z.core.$ZodIssue[] = [];
  const note = (path: Path, message: string) => {
    if (issues.length < issuesAtMost)
      issues.push({ code: 'custom', path: [...path], message, input: undefined });
  };
  replaceIn(extra, (part, value, path) => {
    note(path, complaints[part]);
    // Unchanged, because the report is refused, and kept as it was sent.
    return value;
  });
  if (issues.length === 0) for (const name of largestBeyond(extra)) note([name], tooLarge);
  return issues;
}

function replaceIn(extra: ExtraFields, replace: Replace): void {
  const path: (string | number)[] = [];
  replaceFields(extra, path, (_name, value) => replaceUnstorable(value, path, replace), replace);
}

/** The names of the largest fields, without which the others fit. */
function largestBeyond(extra: ExtraFields): Set<string> {
  const names = new Set<string>();
  let bytes = bytesOf(extra);
  if (bytes <= limits.extraBytes) return names;
  const fields = Object.entries(extra).map(([name, value]) => ({ name, bytes: bytesOf([name, value]) }));
  for (const field of fields.sort((a, b) => b.bytes - a.bytes)) {
    if (bytes <= limits.extraBytes) break;
    bytes -= field.bytes - 1;
    names.add(field.name);
  }
  return names;
}

/** Bytes of JSON. */
function bytesOf(value: object): number {
  return Buffer.byteLength(JSON.stringify(value));
}
