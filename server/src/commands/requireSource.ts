import { type ListedSource, listSources } from '../sources/sql/source.js';
import { decodeId } from '../values/ids.js';
import { type CommandContext, unknownId } from './command.js';

/** Finds the source of an argument. @throws UsageError */
export async function requireSource(
  { sql }: Pick<CommandContext, 'sql'>,
  { team, teamId }: { team: { id: ListedSource['teamId'] }; teamId: string },
  text: string,
): Promise<ListedSource> {
  const id = decodeId('src', text);
  const found = (await listSources(sql, team.id)).find((each) => each.id === id);
  if (!found) throw unknownId('source', text, { list: 'source list', team: teamId });
  return found;
}
