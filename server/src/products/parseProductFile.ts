import type { Issue } from '@orderbeacon/sdk/contract';
import type { z } from 'zod';
import { shorten } from '../values/warnings.js';
import { type ImportedProduct, plainTypes, productFileSchema, productSchema } from './productSchema.js';

/** Checked products of an import file, or all that is wrong with them. */
export type ParsedProductFile =
  | { products: ImportedProduct[]; issues?: never }
  | { products?: never; issues: Issue[] };

/**
 * Checks an import file: an array of products, or one product. A product without a valid type is also checked as a plain
 * one, so that its other bad fields are named too.
 */
export function parseProductFile(data: unknown): ParsedProductFile {
  const list: unknown[] = Array.isArray(data) ? data : [data];
  const { data: products, error } = productFileSchema.safeParse(list);
  if (!error) return { products };
  const issues = error.issues.flatMap((issue) => {
    const [at, field] = issue.path;
    if (field !== 'type') return [issue];
    const plain = productSchema.safeParse({ ...(list[at as number] as object), type: plainTypes[0] });
    const others = plain.error?.issues.map((other) => ({ ...other, path: [at!, ...other.path] }));
    return [issue, ...(others ?? [])];
  });
  return { issues: issues.map(toIssue) };
}

function toIssue({ path, message }: z.core.$ZodIssue): Issue {
  return { path: shorten(path.map(String).join('.')), message };
}
