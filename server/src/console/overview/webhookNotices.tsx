import type { ListedHook } from '../../hooks/sql/hook.js';
import { encodeId } from '../../values/ids.js';
import { useConsole } from '../context.js';
import { formatSince } from '../parts/formatTime.js';
import { hostOfHook } from '../webhooks/deliveryWords.js';

/** The overview's lines on webhooks that are switched off. */
export function WebhookNotices({ hooks }: { hooks: readonly ListedHook[] }) {
  const { home, viewer } = useConsole();
  return (
    <>
      {hooks.map(
        ({ id, url, disabledAt, disabledReason }) =>
          disabledAt && (
            <p class={`notice ${disabledReason === null ? '' : 'bad'}`}>
              <a href={`${home}/webhooks#${encodeId('hook', id)}`}>
                The webhook to <bdi>{hostOfHook({ url })}</bdi> is switched off
              </a>{' '}
              since {formatSince(disabledAt, viewer.now, viewer)}
              {disabledReason !== null && (
                <>
                  : <bdi>{disabledReason}</bdi>
                </>
              )}
            </p>
          ),
      )}
    </>
  );
}
