import { describe, expect, it } from 'vitest';
import { readConfig, settingNames } from '../../../src/config.js';
import { lineItemSchema, orderSchema } from '../../../src/core/orders/receive/reportSchema.js';
import { statusOf } from '../../../src/values/errors.js';
import { runOrderbeacon } from '../../kit/command.js';
import { readDocument } from '../../kit/examples.js';

const quotedIn = (text: string) => [...text.matchAll(/`([^`]+)`/g)].map(([, word]) => word!);

/** Reads the rows of the document's tables with this heading, each as its cells. */
function tableOf(path: string, heading: string): string[][] {
  const [, ...tables] = readDocument(path).split(`\n${heading}\n`);
  if (tables.length === 0) throw new Error(`${path} has no table with the heading ${heading}`);
  return tables.flatMap((after) => {
    const rows = after.split('\n').slice(1);
    return rows
      .slice(
        0,
        rows.findIndex((row) => !row.startsWith('|')),
      )
      .map((row) =>
        row
          .split('|')
          .slice(1, -1)
          .map((cell) => cell.trim()),
      );
  });
}

describe('the documented table of', () => {
  it('error codes has every code, each in the row of its status', () => {
    const rows = tableOf('server/guides/errors.md', '| Status | `code` |');
    const listed = rows.flatMap(([statuses, codes]) => {
      const known = quotedIn(codes!).filter((word) => word in statusOf);
      const row = known.map((code) => [code, statusOf[code as keyof typeof statusOf]]);
      const used = [...new Set(row.map(([, status]) => String(status)))];
      expect(used.sort()).toEqual(statuses!.split(', ').sort());
      return row;
    });
    expect(listed.sort()).toEqual(Object.entries(statusOf).sort());
  });

  it('settings has every variable that the server reads, with its default', () => {
    const unset = readConfig({});
    const rows = tableOf('server/guides/settings.md', '| Variable | Default | |');
    expect(rows.flatMap(([names]) => quotedIn(names!)).sort()).toEqual([...settingNames].sort());
    const withDefault = rows.filter(([, fallback]) => /^`[^:]+`$/.test(fallback!));
    expect(withDefault.length).toBeGreaterThan(4);
    for (const [names, fallback] of withDefault) {
      const values = quotedIn(fallback!);
      const env = Object.fromEntries(quotedIn(names!).map((name, at) => [name, values[at]]));
      expect([env, readConfig(env)]).toEqual([env, unset]);
    }
  });

  it('fields of track() has every field of an order and of its items', () => {
    // The script adds the others itself, and a page cannot state when its order was placed or changed.
    const others = ['teamId', 'visitorId', 'landings', 'reportId', 'sdkVersion', 'createdAt', 'changedAt'];
    const names = Object.keys(orderSchema.shape).filter((name) => !others.includes(name));
    const rows = tableOf('sdk/guides/orders.md', '| Field | Default | Value |');
    expect(rows.map(([field]) => quotedIn(field!)[0])).toEqual(names);
    const items = rows.find(([field]) => field === '`items`')!;
    expect(quotedIn(items[2]!).sort()).toEqual(Object.keys(lineItemSchema.shape).sort());
  });

  it('alerts has every alert of the package', () => {
    const rows = tableOf('server/guides/alerts.md', '| Alert | First step |');
    const rules = readDocument('server/monitoring/alerts.yaml').matchAll(/- alert: (\w+)/g);
    expect(rows.map(([name]) => name)).toEqual([...rules].map(([, name]) => `\`${name}\``));
  });

  it('commands has every subcommand', async () => {
    const rows = tableOf('server/guides/commands.md', '| Command | |');
    const listed = rows.flatMap(([names]) => quotedIn(names!));
    expect(listed.sort()).toEqual((await commandsBelow([])).sort());
  });
});

/** Lists every subcommand without further subcommands, as `orderbeacon … --help` names them. */
async function commandsBelow(path: string[]): Promise<string[]> {
  const { stdout } = await runOrderbeacon([...path, '--help'], {});
  const [, commands] = stdout.split('\nCommands:\n');
  if (commands === undefined) return [path.join(' ')];
  const names = [...commands.matchAll(/^ {2}([\w-]+)/gm)].map(([, name]) => name!);
  const below = names.filter((name) => name !== 'help').map((name) => commandsBelow([...path, name]));
  return (await Promise.all(below)).flat();
}
