import type { ErrorCode } from '@orderbeacon/sdk/contract';
import { useConsole } from '../../../console/context.js';
import { errorDocs, statusOf } from '../../../values/errors.js';

/** Links to the page about the reason of a refusal: cause, fix, and who fixes it. */
export function AboutReason({ reason }: { reason: string }) {
  const { base } = useConsole();
  const isCode = Object.hasOwn(statusOf, reason);
  return (
    <a href={isCode ? errorDocs(reason as ErrorCode, base) : `${base}/docs/refused-reports`}>
      Why this is refused
    </a>
  );
}
