import type { RefusedSum } from '../../features/refused/sql/groupRefused.js';
import type { ListedHook } from '../../features/webhooks/sql/hook.js';
import { encodeId } from '../../values/ids.js';
import { type Marks, useConsole } from '../context.js';
import { Action, Menu, signOutPath } from './form.js';
import { formatNumber, formatShortMoney } from './formatNumber.js';
import { Badge } from './notice.js';
import { Seg } from './panel.js';

/** The pages in the navigation, in their order, each with the strokes of its picture. */
const places = [
  { path: '', title: 'Overview', icon: 'M4 20V11M10 20V4M16 20v-6M21 20H3' },
  { path: '/orders', title: 'Orders', icon: 'M6 3h12v18l-3-2-3 2-3-2-3 2zM9 8h6M9 12h6' },
  { path: '/refused', title: 'Refused', icon: 'M12 4 2.8 20h18.4zM12 10v4M12 17.4v.1' },
  { path: '/webhooks', title: 'Webhooks', icon: 'M13 3 5 13.5h6L10 21l9-11h-6.5z' },
  { path: '/setup', title: 'Setup', icon: 'M4 7h9M17 7h3M4 17h3M11 17h9M15 4.5v5M9 14.5v5' },
] as const;

/** The title of a page in the navigation. */
export type Place = (typeof places)[number]['title'];

interface NavigationProps {
  here: Place;
  marks: Marks;
}

/** The header of a page of a team: the team, the places, and live or test. */
export function Navigation({ here, marks }: NavigationProps) {
  const { isTest, link } = useConsole();
  return (
    <>
      <a class="hidden" href="#content">
        Skip to the content
      </a>
      <header>
        <div class="bar">
          <a href={link('')}>
            <span class="hidden">Orderbeacon</span>
            <svg
              viewBox="0 0 32 32"
              width="24"
              height="24"
              fill="none"
              stroke="currentColor"
              stroke-width="3"
              stroke-linecap="round"
              aria-hidden="true"
            >
              <circle cx="16" cy="16" r="5" fill="currentColor" stroke="none" />
              <path d="M7 7a13 13 0 0 0 0 18M25 7a13 13 0 0 1 0 18" />
            </svg>
          </a>
          <TeamMenu />
          <nav class="places" aria-label="Console" data-fresh="places">
            {places.map(({ path, title, icon }) => (
              <a href={link(path)} aria-current={title === here ? 'page' : undefined}>
                <svg
                  viewBox="0 0 24 24"
                  width="22"
                  height="22"
                  fill="none"
                  stroke="currentColor"
                  stroke-width="1.8"
                  stroke-linecap="round"
                  stroke-linejoin="round"
                  aria-hidden="true"
                >
                  <path d={icon} />
                </svg>
                {title}
                {title === 'Refused' && <RefusedMark sums={marks.refused} />}
                {title === 'Webhooks' && <HooksMark hooks={marks.hooks} />}
              </a>
            ))}
          </nav>
          <Seg
            label="Live or test orders"
            isAtEnd
            choices={[
              { href: worldOf(false), words: 'Live', isChosen: !isTest, class: 'good' },
              { href: worldOf(true), words: 'Test', isChosen: isTest, class: 'warn' },
            ]}
          />
        </div>
      </header>
    </>
  );

  /** The same page in a world. An order's own page is of one world, so that the other one begins with its list. */
  function worldOf(isTest: boolean): string {
    const { path } = places.find(({ title }) => title === here)!;
    return link(path, { mode: isTest ? 'test' : 'live' });
  }
}

function TeamMenu() {
  const { base, link, session } = useConsole();
  const { teamName, otherTeams, isReadOnly } = session;
  return (
    <Menu title={<strong dir="auto">{teamName}</strong>}>
      {isReadOnly && <li class="muted">You have view-only access.</li>}
      {otherTeams.length > 0 && (
        <li>
          <small>Switch to</small>
        </li>
      )}
      {otherTeams.map(({ id, name }) => (
        <li>
          <a href={`${base}/console/${encodeId('team', id)}`}>
            <bdi>{name}</bdi>
          </a>
        </li>
      ))}
      <li>
        <a href={link('/setup/keys')}>Colleagues and browsers</a>
      </li>
      <li>
        <a href={`${base}/docs/console`}>Help</a>
      </li>
      <li>
        <Action to={signOutPath} isSmall>
          Sign out
        </Action>
      </li>
    </Menu>
  );
}

/** The refused reports and, of several currencies, the money of the one with the most reports. */
function RefusedMark({ sums: [first, second] }: { sums: readonly RefusedSum[] }) {
  const { viewer } = useConsole();
  if (!first) return null;
  const others = second && second.currency !== null ? ' + others' : '';
  return (
    <>
      {' '}
      <Badge tone="bad">
        {formatNumber(first.reports, viewer)}
        {first.currency !== null && (
          <span class="wide">
            {' · '}
            {formatShortMoney(first.amount, first.currency, viewer)}
            {others}
          </span>
        )}
      </Badge>
    </>
  );
}

function HooksMark({ hooks }: { hooks: readonly ListedHook[] }) {
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
