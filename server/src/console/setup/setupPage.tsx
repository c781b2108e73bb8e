import type { Child } from 'hono/jsx';
import { listKeys } from '../../core/teams/sql/apiKey.js';
import { listDomains } from '../../core/teams/sql/domain.js';
import { listConsoleSessions } from '../access/consoleSession.js';
import type { ConsoleParts } from '../consoleDeps.js';
import { type ConsoleContext, useConsole } from '../context.js';
import { loadSteps } from '../loadSteps.js';
import { counted, modeText } from '../parts/format.js';
import { renderPage } from '../parts/layout.js';
import { Badge } from '../parts/panel.js';
import type { SetupPage, SetupState } from '../section.js';
import { unchosenZone } from './zone.js';

/** Data of Setup's navigation. */
export type SetupData = Awaited<ReturnType<typeof loadSetup>>;

/** Reads the state of Setup in the page's mode: the first steps, the domains, keys and browsers, and features' pages. */
export async function loadSetup(c: ConsoleContext, { setupPages }: ConsoleParts) {
  const { query: ask } = c.var;
  const [done, domains, others, keys, browsers] = await Promise.all([
    loadSteps(c),
    ask(listDomains),
    Promise.all(setupPages.map(async (page) => ({ ...page, ...(await page.state(c)) }))),
    ask(listKeys),
    ask(listConsoleSessions),
  ]);
  return { done, domains, others, keys, browsers };
}

/**
 * Answers with a page of Setup and Setup's navigation.
 * @param page.title title of its entry in Setup's navigation
 */
export function renderSetup(
  c: ConsoleContext,
  setup: SetupData,
  { title, content, isRefused = false }: { title: string; content: Child; isRefused?: boolean },
): Promise<Response> {
  c.status(isRefused ? 400 : 200);
  return renderPage(
    c,
    <div class="setup">
      <div data-fresh="steps">
        <SetupNavigation here={title} {...setup} />
      </div>
      <div class="stack">{content}</div>
    </div>,
    {
      title: `Setup: ${title}`,
      here: 'Setup',
      path: setupPaths[title] ?? setup.others.find((page) => page.title === title)?.path ?? '/setup',
      isLive: true,
    },
  );
}

/** Paths of the console's own pages of Setup, by their titles. */
const setupPaths: Record<string, string> = {
  Install: '/setup/install',
  Domains: '/setup/domains',
  Shop: '/setup/shop',
  'Keys and colleagues': '/setup/keys',
};

/** The pages of Setup. Each step has its state in the page's mode. Other pages have none. */
function SetupNavigation({ here, done, domains, others, keys, browsers }: SetupData & { here: string }) {
  const { link, viewer, isTest, session } = useConsole();
  const mode = modeText(isTest);
  const allowed = domains.filter((domain) => domain.isTest === isTest).length;
  const pages: (SetupPage & SetupState)[] = [
    {
      title: 'Install',
      path: '/setup/install',
      tone: done.hasTag ? 'good' : 'warn',
      about: done.isTagSeen
        ? 'The tag is on a page; no order yet'
        : done.hasTag
          ? 'A page with the tag has reported'
          : 'No page has reported yet',
    },
    {
      title: 'Domains',
      path: '/setup/domains',
      tone: done.hasDomain ? 'good' : 'warn',
      about: allowed > 0 ? `${allowed} for ${mode} orders` : `None for ${mode} orders yet`,
    },
    ...others,
    {
      title: 'Shop',
      path: '/setup/shop',
      tone: undefined,
      about:
        session.zone === unchosenZone && !session.isReadOnly
          ? 'Choose its time zone'
          : 'Name, time zone, currency',
    },
    {
      title: 'Keys and colleagues',
      path: '/setup/keys',
      tone: undefined,
      about: `${counted(keys.filter(({ revokedAt }) => !revokedAt).length, 'key', viewer)}, ${counted(browsers.length, 'browser', viewer)}`,
    },
  ];
  const steps = pages.filter(({ tone }) => tone !== undefined);
  const ready = steps.filter(({ tone }) => tone === 'good').length;
  const list = (some: typeof pages) =>
    some.map(({ title, path, tone, about }) => (
      <li class={tone}>
        <a href={link(path)} aria-current={title === here ? 'page' : undefined}>
          {title}
        </a>
        <small class="wide">{about}</small>
      </li>
    ));
  return (
    <nav class="stack" aria-label="Setup">
      <p class="line">
        <strong>Setup</strong>{' '}
        <Badge tone={ready === steps.length ? 'good' : 'warn'}>
          {ready} of {steps.length} steps done
        </Badge>
      </p>
      <ol class="timeline">{list(steps)}</ol>
      <ol class="timeline">{list(pages.filter((page) => !steps.includes(page)))}</ol>
    </nav>
  );
}
