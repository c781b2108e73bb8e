import type { Path, Warn } from '../../values/issues.js';
import { type FieldIssue, issuesAtMost } from '../../values/issues.js';
import { limits } from '../../values/limits.js';
import type { ExtraFields } from './storedOrder.js';
import {
  complaints,
  type Replace,
  repairUnstorable,
  replaceFields,
  replaceUnstorable,
} from './unstorable.js';

const tooLarge = `is too large: fields beyond the contract's may have ${limits.extraBytes} bytes of JSON together`;

/** Extra fields of a report that are read. 8 KiB have room for as many of 16 bytes. */
export const extraFieldsAtMost = 300;

/**
 * Makes extra fields of a page's report storable, in place. Leaves out the largest ones until the others fit, with a
 * warning for each. Null when none is left.
 * @param extra the first ones
 * @param hasMore true if others were sent
 */
export function repairExtra(extra: ExtraFields, hasMore: boolean, warn: Warn): ExtraFields | null {
  if (hasMore)
    warn(
      [],
      `has more fields beyond the contract's than ${extraFieldsAtMost}; the first ${extraFieldsAtMost} are kept`,
    );
  replaceIn(extra, repairUnstorable(warn));
  for (const name of largestBeyond(extra)) {
    warn([name], `${tooLarge}; left out`);
    delete extra[name];
  }
  return Object.keys(extra).length > 0 ? extra : null;
}

/**
 * Lists why extra fields of a report with a key cannot be stored.
 * @param extra the first ones
 * @param hasMore true if others were sent
 */
export function checkExtra(extra: ExtraFields, hasMore: boolean): FieldIssue[] {
  const issues: FieldIssue[] = [];
  const note = (path: Path, message: string) => {
    if (issues.length < issuesAtMost) issues.push({ path: [...path], message });
  };
  if (hasMore) note([], `must have at most ${extraFieldsAtMost} fields beyond the contract's`);
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
  // Most fit: to measure each of 300 fields takes four times as long.
  if (Buffer.byteLength(JSON.stringify(extra)) <= limits.extraBytes) return names;
  // `["a",1]` has one byte more than `"a":1,`, and the last field has no comma, but two braces around all.
  const bytesOf = (field: [string, unknown]) => Buffer.byteLength(JSON.stringify(field)) - 1;
  const fields = Object.entries(extra).map((field) => ({ name: field[0], bytes: bytesOf(field) }));
  let bytes = fields.reduce((sum, field) => sum + field.bytes, 1);
  for (const field of fields.sort((a, b) => b.bytes - a.bytes)) {
    if (bytes <= limits.extraBytes) break;
    bytes -= field.bytes;
    names.add(field.name);
  }
  return names;
}
