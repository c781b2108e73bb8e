import { providers } from '../../sources/providers.js';
import { useConsole } from '../context.js';
import { counted } from '../parts/formatNumber.js';
import { formatSpan } from '../parts/formatTime.js';
import { Badge, type Tone } from '../parts/notice.js';
import type { SetupData } from './loadSetup.js';
import { setupSteps } from './setupSteps.js';

/** A page of the setup. */
export type SetupPart = 'Install' | 'Domains' | 'Sources' | 'Keys and colleagues';

/** The pages of the setup, each with its state. A step that is done is a line. */
export function SetupNavigation({
  part,
  done,
  domains,
  sources,
  keys,
  browsers,
}: SetupData & { part: SetupPart }) {
  const { link, viewer } = useConsole();
  const steps = setupSteps(done);
  const ready = steps.filter(({ isDone }) => isDone).length;
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
