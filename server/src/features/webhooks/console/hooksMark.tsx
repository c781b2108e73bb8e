import { Badge } from '../../../console/parts/panel.js';
import type { ListedHook } from '../sql/hook.js';

/** Counts the webhooks that the server has switched off. One that a person has is as it should be. */
export function countOff(hooks: readonly ListedHook[]): number {
  return hooks.filter(({ disabledReason }) => disabledReason !== null).length;
}

/** The number of webhooks that the server has switched off. */
export function HooksMark({ hooks }: { hooks: readonly ListedHook[] }) {
  const off = countOff(hooks);
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
