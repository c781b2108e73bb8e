import { Guide } from '../../../console/parts/guide.js';
import { statusOf } from '../../../values/errors.js';

/** Links to the page about the reason of a refusal: cause, fix, and who fixes it. */
export function AboutReason({ reason }: { reason: string }) {
  return (
    <Guide to={Object.hasOwn(statusOf, reason) ? `errors/${reason}` : 'refused-reports'}>
      Why this is refused
    </Guide>
  );
}
