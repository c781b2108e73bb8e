import { Badge } from '../../../console/parts/notice.js';
import type { ListedHook } from '../sql/hook.js';

/** The number of webhooks that the server has switched off. */
export function HooksMark({ hooks }: { hooks: readonly ListedHook[] }) {
  // One that a person has switched off is as it should be.
  const off = hooks.filter(({ disabledReason }) => disabledReason !== null).length;
  if (off === 0) return null;
  return (
    <>
      {' '}
      <Badge tone="warn">
        {off}
        <span class="wide"> off</span>
      </Badge>
    </>
  );
}
