import { encodeId } from '../../values/ids.js';
import { useConsole } from '../context.js';
import { Form, signOutPath } from './form.js';

/** The pages in the navigation, in their order. */
const pages = [
  { path: '', title: 'Overview' },
  { path: '/orders', title: 'Orders' },
  { path: '/refused', title: 'Refused' },
  { path: '/webhooks', title: 'Webhooks' },
  { path: '/setup', title: 'Setup' },
] as const;

/** The title of a page in the navigation. */
export type NavigationPlace = (typeof pages)[number]['title'];

interface NavigationProps {
  here: NavigationPlace;
  /** See `refusedMark`. */
  refused: string;
}

/** The header of a page of a session: the team, the pages, and the way out. */
export function Navigation({ here, refused }: NavigationProps) {
  const { base, home, session } = useConsole();
  return (
    <>
      <a class="skip" href="#content">
        Skip to the content
      </a>
      <header class="container">
        <nav aria-label="Console">
          <ul>
            <li class="team">
              <a href={home} class="product">
                Orderbeacon
              </a>{' '}
              <TeamSwitch /> {session.isReadOnly && <span class="badge">looking only</span>}
            </li>
            {pages.map(({ path, title }) => (
              <li>
                <a href={home + path} aria-current={title === here ? 'page' : undefined}>
                  {title}
                  {title === 'Refused' && refused}
                </a>
              </li>
            ))}
            <li>
              <a href={`${base}/docs/merchants`}>Help</a>
            </li>
            <li class="sign-out">
              <Form action={signOutPath} class="inline">
                <button type="submit" class="outline secondary small">
                  Sign out
                </button>
              </Form>
            </li>
          </ul>
        </nav>
      </header>
    </>
  );
}

/** The name of the team, as a menu of the other teams where the browser is signed in to several. */
function TeamSwitch() {
  const { base, session } = useConsole();
  const { teamName, otherTeams } = session;
  if (otherTeams.length === 0) return <strong dir="auto">{teamName}</strong>;
  return (
    <details class="teams">
      <summary>
        <strong dir="auto">{teamName}</strong>
      </summary>
      <div class="teams-menu">
        <small>Switch to</small>
        {otherTeams.map(({ id, name }) => (
          <a href={`${base}/console/${encodeId('team', id)}`}>
            <bdi>{name}</bdi>
          </a>
        ))}
      </div>
    </details>
  );
}
