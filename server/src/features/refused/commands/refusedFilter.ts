import type { Command } from 'commander';
import { UsageError } from '../../../commands/command.js';
import { isAppOrigin, normaliseHost } from '../../../core/teams/domains.js';
import { command } from '../../../values/command.js';
import { decodeId, type Uuid } from '../../../values/ids.js';
import { type RefusedFilter, refusedReasons } from '../refusedReport.js';

/** Values of the options that `addRefusedOptions` adds. */
export interface RefusedOptions {
  team: string;
  host?: string;
  reason?: string;
  json?: boolean;
}

/** Adds the options that select refused reports. */
export function addRefusedOptions(command: Command): Command {
  return command
    .option(
      '--host <host>',
      "only reports from pages of this host; '' selects reports with a key and pages without a host",
    )
    .option('--reason <code>', 'only reports with this error code, such as domain_not_allowed');
}

/** Converts options and ids into a filter. @throws UsageError */
export function readRefusedFilter(
  { team, host, reason }: RefusedOptions,
  ids: readonly string[] = [],
): RefusedFilter {
  const filter: RefusedFilter = {};
  if (ids.length > 0) filter.ids = ids.map((id) => requireId(id, team));
  if (host !== undefined) filter.host = host === '' ? '' : requireHost(host);
  if (reason === undefined) return filter;
  if (!refusedReasons.includes(reason))
    throw new UsageError(`--reason must be one of ${refusedReasons.join(', ')}, not "${reason}".`);
  return { ...filter, reason };
}

/** Reads the id of a refused report. @throws UsageError */
function requireId(text: string, team: string): Uuid {
  const id = decodeId('ref', text);
  if (id === null)
    throw new UsageError(
      `"${text}" is not the id of a refused report. See: ${command} refused list --team ${team}`,
    );
  return id;
}

function requireHost(text: string): string {
  const host = isAppOrigin(text) ? text.toLowerCase() : normaliseHost(text);
  if (host === null) throw new UsageError(`--host must be a host name such as shop.example, not "${text}".`);
  return host;
}
