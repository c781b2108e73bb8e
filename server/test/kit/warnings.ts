import type { Issue } from '@orderbeacon/sdk/contract';

/** The warnings of an answer, but for those of what is missing: most reports of tests name no currency. */
export function warningsOf({ data }: { data?: { warnings?: Issue[] } }): Issue[] {
  return (data?.warnings ?? []).filter(({ message }) => !message.startsWith('is missing'));
}
