import { useConsole } from '../context.js';
import { formatNumber } from '../parts/formatNumber.js';

/** Outcomes of the page's buttons, as the address of the next page names them. */
const done = {
  added: 'The webhook is added.',
  on: 'The webhook is switched on. What waited is sent now. What happened while it was off is not sent.',
  off: 'The webhook is switched off. It is told of nothing until it is switched on again.',
  removed: 'The webhook is removed.',
  removing: 'The webhook is switched off. Some of its deliveries are left: remove it once more.',
  tested:
    'A test event is on its way. Its delivery is the first one below; reload the page to see its outcome.',
  again: 'It is sent again now. Reload the page in a moment to see the outcome.',
  soon: 'It is on its way already.',
} as const;

/** Name of an outcome. */
export type WebhookOutcome = keyof typeof done;

/** Says what the button that was just pressed has done; nothing on other pages. */
export function WebhookFlash({ asked }: { asked: Record<string, string> }) {
  const { viewer } = useConsole();
  const outcome = Object.entries(done).find(([name]) => name === asked.done)?.[1];
  const resent = /^\d{1,9}$/.test(asked.resent ?? '') ? Number(asked.resent) : null;
  if (outcome === undefined && resent === null) return null;
  return (
    <p role="status" class="notice good">
      {outcome ?? resentWords(resent!)}
      {asked.more === '1' && ' More are left: press once more.'}
    </p>
  );

  function resentWords(deliveries: number): string {
    if (deliveries === 0) return 'No delivery of that time has failed.';
    return deliveries === 1
      ? '1 delivery is sent again.'
      : `${formatNumber(deliveries, viewer)} deliveries are sent again.`;
  }
}
