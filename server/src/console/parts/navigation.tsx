import { useConsole } from '../context.js';
import { TeamSwitch } from '../signIn/teamSwitch.js';
import { Form } from './form.js';

/** The pages in the navigation, in their order. */
const pages = [
  { path: '/console', title: 'Overview' },
  { path: '/console/orders', title: 'Orders' },
  { path: '/console/refused', title: 'Refused' },
  { path: '/console/webhooks', title: 'Webhooks' },
  { path: '/console/setup', title: 'Setup' },
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
  const { base, session } = useConsole();
  return (
    <>
      <a class="skip" href="#content">
        Skip to the content
      </a>
      <header class="container">
        <nav aria-label="Console">
          <ul>
            <li class="team">
              <a href={`${base}/console`} class="product">
                Orderbeacon
              </a>{' '}
              <TeamSwitch /> {session.isReadOnly && <span class="badge">looking only</span>}
            </li>
            {pages.map(({ path, title }) => (
              <li>
                <a href={base + path} aria-current={title === here ? 'page' : undefined}>
                  {title}
                  {title === 'Refused' && refused}
                </a>
              </li>
            ))}
            <li>
              <a href={`${base}/docs/merchants`}>Help</a>
            </li>
            <li class="sign-out">
              <Form action="/console/sign-out" class="inline">
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
