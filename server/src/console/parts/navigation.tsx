import { encodeId } from '../../values/ids.js';
import { type MarkedPage, useConsole } from '../context.js';
import { Action, Menu, MenuGroup, signOutPath } from './form.js';
import { Guide } from './guide.js';
import { Header } from './header.js';
import { Mark } from './mark.js';
import { Seg } from './panel.js';

interface NavigationProps {
  /** Title of the page's entry in the navigation. */
  here: string;
  /** See `PageProps`. */
  path: string | undefined;
  pages: readonly MarkedPage[];
}

/** The header of a team's page: the team, the navigation, and the choice of live or test. */
export function Navigation({ here, path, pages }: NavigationProps) {
  const { isTest, link } = useConsole();
  return (
    <Header>
      <a class="logo" href={link('')}>
        <span class="hidden">Orderbeacon</span>
        <Mark />
      </a>
      <TeamMenu />
      <nav class="places" aria-label="Console" data-fresh="places">
        {pages.map(({ path, title, icon, mark }) => (
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
            {mark}
          </a>
        ))}
      </nav>
      <Seg
        label="Live or test orders"
        isAtEnd
        choices={[
          { href: linkToMode(false), text: 'Live', isChosen: !isTest, class: 'good' },
          { href: linkToMode(true), text: 'Test', isChosen: isTest, class: 'warn' },
        ]}
      />
    </Header>
  );

  /** Writes the link to the same page in a mode. From an order's page it leads to the list, because an order has one mode. */
  function linkToMode(isTest: boolean): string {
    const page = pages.find(({ title }) => title === here);
    return link(path ?? page?.path ?? '', { mode: isTest ? 'test' : 'live' });
  }
}

function TeamMenu() {
  const { base, guides, link, session } = useConsole();
  const { teamName, otherTeams, isReadOnly } = session;
  return (
    <Menu title={<strong dir="auto">{teamName}</strong>}>
      {isReadOnly && (
        <li class="muted">
          You have view-only access. Ask whoever sent you the link for one with more rights.
        </li>
      )}
      {otherTeams.length > 0 && <MenuGroup title="Switch to" />}
      {otherTeams.map(({ id, name }) => (
        <li>
          <a href={`${base}/console/${encodeId('team', id)}`}>
            <bdi>{name}</bdi>
          </a>
        </li>
      ))}
      <MenuGroup title="This shop" />
      <li>
        <a href={link('/setup/shop')}>Name and time zone</a>
      </li>
      <li>
        <a href={link('/setup/keys')}>Colleagues and browsers</a>
      </li>
      <MenuGroup title="Orderbeacon" />
      {guides !== null && (
        <li>
          <Guide to="console">Help</Guide>
        </li>
      )}
      <li>
        <Action to={signOutPath} isSmall>
          Sign out
        </Action>
      </li>
    </Menu>
  );
}
