import { useConsole } from '../../../console/context.js';
import { Action } from '../../../console/parts/form.js';
import { counted, formatSpan } from '../../../console/parts/format.js';
import { Notice } from '../../../console/parts/panel.js';
import { displayHost } from '../../../core/teams/domains.js';
import { encodeId } from '../../../values/ids.js';
import { hostsOf } from '../shopHost.js';
import type { ApartHost } from '../sql/apartEvent.js';
import type { ListedSource } from '../sql/source.js';

interface OtherHostsProps {
  source: ListedSource;
  /** Other hosts that sent events signed with the source's secret. */
  apart: readonly ApartHost[];
}

/** Notices for the hosts that sent events to a source but are not its shop, each with buttons to allow it. */
export function OtherHosts({ source, apart }: OtherHostsProps) {
  const { viewer } = useConsole();
  const shop = hostsOf(source).map(displayHost).join(' and ');
  return (
    <>
      {apart.map(({ host, events, lastAt }) => (
        <Notice tone="warn">
          <p>
            {`${counted(events, 'event', viewer)} came from ${displayHost(host)}, the last one ${formatSpan(viewer.now.getTime() - lastAt.getTime())} ago. `}
            {`The shop of this source is ${shop}, so nothing of them counts: a copy of a shop has the same orders and secret. They are kept for 30 days. `}
            {'If it is a copy, pause the webhook there.'}
          </p>
          <div class="line">
            {(['moved', 'both'] as const).map((as) => (
              <Action
                to="/setup/sources/host"
                fields={{ source: encodeId('src', source.id), host, as }}
                isSmall
              >
                {as === 'moved'
                  ? `The shop has moved to ${displayHost(host)}`
                  : `Count ${displayHost(host)}, too`}
              </Action>
            ))}
          </div>
        </Notice>
      ))}
    </>
  );
}
