import { expect, it } from 'vitest';
import { runOrderbeacon } from './command.js';

/** A database that is away: what is misspelt is refused before it is asked. */
const env = { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' };

async function lineOf(args: string[], settings: Record<string, string> = {}) {
  const { code, stdout, stderr } = await runOrderbeacon(args, { ...env, ...settings });
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(/^orderbeacon: [^\n]+\n$/);
  return stderr;
}

it.each([
  [['taem', 'list'], /unknown command 'taem' \(Did you mean team\?\)/],
  [['srve'], /unknown command 'srve' \(Did you mean serve\?\)/],
  [['team', 'lst'], /unknown command 'lst' \(Did you mean list\?\)/],
  [['person', 'exprot'], /unknown command 'exprot' \(Did you mean export\?\)/],
  [['--versoin'], /unknown option '--versoin' \(Did you mean --version\?\)/],
  [['team', 'list', '--jsn'], /unknown option '--jsn' \(Did you mean --json\?\)/],
  [['team', 'list', '--json=3'], /unknown option '--json=3' \(Did you mean --json\?\)/],
  [['refused', 'list', '--reson', 'x', '--team', 'team_x'], /'--reson' \(Did you mean --reason\?\)/],
  [['order', 'list', '--team', 'team_x', '--tets'], /'--tets' \(Did you mean --test\?\)/],
  [['team', 'create', '--nmae', 'Shop'], /--name/],
  [
    ['order', 'list', '--team', 'team_x', '--reported-by', 'pag'],
    /Allowed choices are page, browser, key, both/,
  ],
  [['order', 'list', '--team', 'team_x', '--test', '--live'], /'--test' cannot be used with option '--live'/],
  [['order', 'export', '--team', 'team_x', '--format', 'xml'], /Allowed choices are csv, ndjson/],
  [['domain', 'add', '--team', 'team_x'], /missing required argument 'domain'/],
  [['serve', 'now'], /too many arguments for 'serve'/],
  [['a\nb\u001b[2J'], /unknown command 'a b/],
  [[''], /unknown command ''/],
  [['__proto__'], /unknown command '__proto__'/],
  [['team', 'constructor'], /unknown command 'constructor'/],
])('%j is refused with one line that names what may be meant', async (args, expected) => {
  expect(await lineOf(args)).toMatch(expected);
});

it.each([
  ['PORT', '-1', '0 to 65535'],
  ['PORT', '65536', '0 to 65535'],
  ['PORT', '80.5', '0 to 65535'],
  ['PORT', '0x50', '0 to 65535'],
  ['PORT', '9'.repeat(400), '0 to 65535'],
  ['ORDERBEACON_RATE_LIMIT', '0', 'from 1, or off'],
  ['ORDERBEACON_RATE_LIMIT', '1e3', 'from 1, or off'],
  ['ORDERBEACON_RATE_LIMIT', '1000000000', 'from 1, or off'],
  ['ORDERBEACON_RATE_LIMIT', 'OFF', 'from 1, or off'],
  ['ORDERBEACON_TRUST_PROXY', '33', '0 to 32'],
  ['ORDERBEACON_TRUST_PROXY', 'true', '0 to 32'],
  ['LOG_LEVEL', 'DEBUG', 'trace, debug, info, warn, error, silent'],
  ['ORDERBEACON_DEMO', 'true', 'on or off'],
  ['ORDERBEACON_METRICS_TOKEN', 'x'.repeat(15), '16 or more characters'],
  ['PUBLIC_URL', 'orders.shop.example', 'https://orders.shop.example'],
  ['PUBLIC_URL', 'ftp://orders.shop.example', 'https://orders.shop.example'],
  ['PUBLIC_URL', 'https://orders.shop.example/?a=b', 'https://orders.shop.example'],
  ['PUBLIC_URL', 'https://orders.shop.example/#top', 'https://orders.shop.example'],
  ['PUBLIC_URL', 'https://ann:pass@orders.shop.example', 'without user name, password, ? and #'],
  ['PUBLIC_URL', '"https://orders.shop.example"', 'leave them out'],
  ['HOST', "'0.0.0.0'", 'leave them out'],
  ['ORDERBEACON_DATA_DIR', '"/srv/orders"', 'leave them out'],
  ['ORDERBEACON_DATA_DIR', '~/orders', 'a whole path'],
  ['ORDERBEACON_METRICS_TOKEN', `"${'x'.repeat(16)}"`, 'leave them out'],
  ['ORDERBEACON_ENV_FILE', '"/etc/orderbeacon.env"', 'leave them out'],
  ['DATABASE_URL', 'localhost:5432/shop', 'postgres://'],
])('%s of %j is refused with one line that says what it may be', async (name, value, expected) => {
  const line = await lineOf(['serve'], { [name]: value });
  expect(line).toContain(name);
  expect(line).toContain(expected);
});
