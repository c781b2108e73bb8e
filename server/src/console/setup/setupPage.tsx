import type { Child } from 'hono/jsx';
import { listKeys } from '../../core/teams/sql/apiKey.js';
import { listConsoleSessions } from '../../core/teams/sql/consoleSession.js';
import { listDomains } from '../../core/teams/sql/domain.js';
import { providers } from '../../features/sources/providers.js';
import { listSources } from '../../features/sources/sql/source.js';
import { type ConsoleContext, useConsole } from '../context.js';
import { counted } from '../parts/formatNumber.js';
import { formatSpan } from '../parts/formatTime.js';
import { renderPage } from '../parts/layout.js';
import { Badge, type Tone } from '../parts/notice.js';
import { readDoneSteps } from '../sql/doneSteps.js';
import { ZoneOffer } from './zoneOffer.js';

/** Data of the setup's navigation. */
export type SetupData = Awaited<ReturnType<typeof loadSetup>>;

/** Reads what is set up: the steps to a first order, and the team's domains, sources, keys and browsers. */
export async function loadSetup(c: ConsoleContext) {
  const { query: ask } = c.var;
  const [done, domains, sources, keys, browsers] = await Promise.all([
    ask(readDoneSteps),
    ask(listDomains),
    ask(listSources),
    ask(listKeys),
    ask(listConsoleSessions),
  ]);
  return { done, domains, sources, keys, browsers };
}

/** A page of the setup. */
export type SetupPart = 'Install' | 'Domains' | 'Sources' | 'Keys and colleagues';

/** Answers with a page of the setup, beside its navigation. */
export function renderSetup(
  c: ConsoleContext,
  setup: SetupData,
  { part, content, isRefused = false }: { part: SetupPart; content: Child; isRefused?: boolean },
): Promise<Response> {
  c.status(isRefused ? 400 : 200);
  return renderPage(
    c,
    <div class="setup">
      <div data-fresh="steps">
        <SetupNavigation part={part} {...setup} />
      </div>
      <div class="stack">
        <ZoneOffer />
        {content}
      </div>
    </div>,
    { title: `Setup: ${part}`, here: 'Setup', isLive: true },
  );
}

/** The pages of the setup, each with its state. A step that is done is a line. */
function SetupNavigation({ part, done, domains, sources, keys, browsers }: SetupData & { part: SetupPart }) {
  const { link, viewer } = useConsole();
  const steps = Object.values(done);
  const ready = steps.filter(Boolean).length;
  const live = domains.filter(({ isTest }) => !isTest).length;
  const [source] = sources;
  const parts: { title: SetupPart; path: string; tone: Tone | undefined; about: string }[] = [
    {
      title: 'Install',
      path: '/setup/install',
      tone: done.hasTag ? 'good' : 'warn',
      about: done.hasTag ? 'A page with the tag has reported' : 'No page has reported yet',
    },
    {
      title: 'Domains',
      path: '/setup/domains',
      tone: done.hasDomain ? 'good' : 'warn',
      about: done.hasDomain ? `${live} live, ${domains.length - live} test` : 'None is allowed yet',
    },
    {
      title: 'Sources',
      path: '/setup/sources',
      tone: source?.lastEventAt ? 'good' : source ? 'warn' : undefined,
      about: source
        ? `${providers[source.kind].name}, ${source.lastEventAt ? `${formatSpan(viewer.now.getTime() - source.lastEventAt.getTime())} ago` : 'no event yet'}`
        : 'None: your pages alone report',
    },
    {
      title: 'Keys and colleagues',
      path: '/setup/keys',
      tone: undefined,
      about: `${counted(keys.filter(({ revokedAt }) => !revokedAt).length, 'key', viewer)}, ${counted(browsers.length, 'browser', viewer)}`,
    },
  ];
  return (
    <nav class="stack" aria-label="Setup">
      <p class="line">
        <strong>Setup</strong>{' '}
        <Badge tone={ready === steps.length ? 'good' : 'warn'}>
          {ready} of {steps.length} done
        </Badge>
      </p>
      <ol class="timeline">
        {parts.map(({ title, path, tone, about }) => (
          <li class={tone}>
            <a href={link(path)} aria-current={title === part ? 'page' : undefined}>
              {title}
            </a>
            <small class="wide">{about}</small>
          </li>
        ))}
      </ol>
    </nav>
  );
}
