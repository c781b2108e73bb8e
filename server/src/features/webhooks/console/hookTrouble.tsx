import { useConsole } from '../../../console/context.js';
import { Action } from '../../../console/parts/form.js';
import { formatSince } from '../../../console/parts/format.js';
import { Notice } from '../../../console/parts/panel.js';
import { encodeId } from '../../../values/ids.js';
import type { ListedHook } from '../sql/hook.js';
import { hostOfHook } from './deliveryWords.js';

/** A notice that a webhook is off, or since when it has failed. Renders nothing if it works. */
export function HookTrouble({ hook }: { hook: ListedHook }) {
  const { viewer } = useConsole();
  const { disabledAt, disabledReason, failingSince } = hook;
  const fields = { hook: encodeId('hook', hook.id) };
  if (disabledAt && disabledReason !== null)
    return (
      <Notice
        tone="bad"
        actions={
          <Action to="/webhooks/switch" fields={{ ...fields, on: 'yes' }}>
            Switch on
          </Action>
        }
      >
        <strong class="tone">
          <bdi>{hostOfHook(hook)}</bdi> gets nothing.
        </strong>{' '}
        Switched off since {formatSince(disabledAt, viewer.now, viewer)}: <bdi>{disabledReason}</bdi>
      </Notice>
    );
  if (disabledAt || failingSince === null) return null;
  return (
    <Notice
      tone="warn"
      actions={
        <Action to="/webhooks/resend-failed" fields={fields} isSmall>
          Send failed ones again
        </Action>
      }
    >
      <strong class="tone">
        <bdi>{hostOfHook(hook)}</bdi> does not answer.
      </strong>{' '}
      Every attempt has failed since {formatSince(failingSince, viewer.now, viewer)}. It is switched off after
      five days.
    </Notice>
  );
}
