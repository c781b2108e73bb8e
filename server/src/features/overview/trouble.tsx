import type { Child } from 'hono/jsx';
import { useConsole } from '../../console/context.js';
import { counted } from '../../console/parts/formatNumber.js';
import { formatSince } from '../../console/parts/formatTime.js';
import { Notice, type Tone } from '../../console/parts/notice.js';
import { sayRefusedSum } from '../refused/console/refusedSum.js';
import { silenceMessage } from '../silence/silence.js';
import type { OverviewData } from './loadOverview.js';

/** One thing that needs somebody: in a line of its own where it is the worst, else as a link. */
interface Need {
  tone: Tone;
  /** The fault in few words, and more of it. */
  title: string;
  about?: Child;
  href: string;
  button: string;
}

/** Faults that need somebody: the worst in words, and others as links. Orders that stopped come before money that does not count. */
export function Trouble({ silence, marks, withoutId }: OverviewData) {
  const { link, viewer } = useConsole();
  const refused = sayRefusedSum(marks.refused, viewer);
  const off = marks.hooks.filter(({ disabledReason }) => disabledReason !== null).length;
  const needs: Need[] = [];
  if (silence)
    needs.push({
      tone: 'bad',
      title: 'Orders have stopped.',
      about: silenceMessage(silence, (time) => formatSince(time, viewer.now, viewer)),
      href: link('/setup/install'),
      button: 'Check my page',
    });
  if (refused)
    needs.push({
      tone: 'bad',
      title: refused,
      href: link('/refused'),
      button: 'Fix them',
    });
  if (off > 0)
    needs.push({
      tone: 'warn',
      title: `${counted(off, 'webhook', viewer)} ${off === 1 ? 'is' : 'are'} off.`,
      href: link('/webhooks'),
      button: 'See them',
    });
  if (withoutId.orders > 0)
    needs.push({
      tone: 'warn',
      title: `${counted(withoutId.orders, 'order', viewer)} ${withoutId.orders === 1 ? 'has' : 'have'} no order id.`,
      about: 'A reloaded page counts as another order, and a report of your backend too.',
      href: link('/orders', { id: 'none' }),
      button: 'See them',
    });
  const [worst, ...others] = needs;
  if (!worst) return null;
  return (
    <Notice
      tone={worst.tone}
      actions={
        <>
          {others.length > 0 && (
            <p>
              Also:{' '}
              {others.map(({ href, title }, at) => (
                <>
                  {at > 0 && ', '}
                  <a href={href}>{title.replace(/\.$/, '')}</a>
                </>
              ))}
            </p>
          )}
          <a class="button" href={worst.href}>
            {worst.button}
          </a>
        </>
      }
    >
      <strong class="tone">{worst.title}</strong> {worst.about}
    </Notice>
  );
}
