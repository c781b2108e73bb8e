import { Guide } from '../../../console/parts/guide.js';
import { statusOf } from '../../../values/errors.js';

/** A link to the guide on a reason of refusals: its cause, its fix, and who can fix it. */
export function AboutReason({ reason }: { reason: string }) {
  return (
    <Guide to={Object.hasOwn(statusOf, reason) ? `errors/${reason}` : 'refused-reports'}>
      Why this is refused
    </Guide>
  );
}
