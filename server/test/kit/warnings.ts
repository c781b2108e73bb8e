import type { Issue } from '@orderbeacon/sdk/contract';

/** Returns the warnings of an answer without those about missing fields: most reports of tests name no currency. */
export function warningsOf({ data }: { data?: { warnings?: Issue[] } }): Issue[] {
  return (data?.warnings ?? []).filter(({ message }) => !message.startsWith('is missing'));
}
