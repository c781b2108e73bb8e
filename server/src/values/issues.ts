import type { Issue } from '@orderbeacon/sdk/contract';
import { shorten } from './warnings.js';

/** Issues of one answer. A body of 500 bad items must not make an answer of 500 issues. */
export const issuesAtMost = 20;

/** Reason for which a field is refused, as zod says it. */
export interface FieldIssue {
  path: readonly PropertyKey[];
  message: string;
}

/** Turns what was found into the contract's issues and one sentence that names the fields. */
export function describeIssues({ issues: found }: { issues: readonly FieldIssue[] }): {
  message: string;
  issues: Issue[];
} {
  const issues = found.slice(0, issuesAtMost).map(({ path, message }) => ({
    path: shorten(path.map(String).join('.')),
    message,
  }));
  const fields = [...new Set(issues.map((issue) => issue.path || 'the body'))].join(', ');
  return { message: `Invalid: ${fields}. ${sentence(issues[0]!)}`, issues };
}

function sentence({ path, message }: Issue): string {
  return `${path || 'The body'} ${message}.`;
}
