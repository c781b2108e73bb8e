import { expect } from 'vitest';
import { documentOf, runOrderbeacon } from '../../kit/command.js';
import { openShop, type Shop, test } from '../../kit/shop.js';

const run = ({ server, teamId }: Shop, verb: string, ...args: string[]) =>
  runOrderbeacon(['hook', verb, '--team', teamId, ...args], server.env);

const json = async (shop: Shop, verb: string, ...args: string[]) =>
  documentOf(await run(shop, verb, ...args, '--json'));

test('a webhook is added, shows its secret once, is listed, and removed', async ({ shop }) => {
  const events = ['order.created', 'order.refunded'];
  const added = await json(shop, 'add', 'https://receiver.invalid/a', '--events', events.join(', '));
  expect(added).toEqual({
    id: expect.stringMatching(/^hook_[0-9a-z]{26}$/),
    url: 'https://receiver.invalid/a',
    events,
    isTest: false,
    format: 'standard',
    allowsPrivate: false,
    isEnabled: true,
    secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
  });
  const { secret, ...shown } = added;
  const listed = { ...shown, pending: 0, failingSince: null, disabledAt: null, disabledReason: null };
  expect(await json(shop, 'list')).toEqual([{ ...listed, createdAt: expect.any(String) }]);
  const { stdout } = await run(shop, 'list');
  expect(stdout).toContain('https://receiver.invalid/a');
  expect(stdout).not.toContain(secret);

  expect(await json(shop, 'remove', added.id)).toEqual({ id: added.id, removed: true });
  expect(await json(shop, 'list')).toEqual([]);
});

test('a webhook of Slack is told of its two events and has no signatures, one of tests of test orders', async ({
  shop,
}) => {
  const slack = ['https://hooks.slack.com/services/x', '--slack'];
  expect(await json(shop, 'add', ...slack)).toMatchObject({
    format: 'slack',
    events: ['orders.stopped', 'refused.began'],
  });
  const { stdout } = await run(shop, 'add', ...slack);
  expect(stdout).toMatch(
    /^Added\..*\nTo try it, press Send a test on the page Webhooks: \S+\/orderbeacon console --team team_\w+\n$/,
  );
  expect(await json(shop, 'add', 'http://10.0.0.1:3000/', '--test', '--allow-private')).toMatchObject({
    url: 'http://10.0.0.1:3000/',
    isTest: true,
    allowsPrivate: true,
    events: expect.arrayContaining(['order.created', 'refused.began']),
  });
});

test.for<[string, string[], RegExp]>([
  ['no URL', ['add', 'receiver'], /a URL is needed/],
  [
    'an event that is none',
    ['add', 'https://x.invalid/', '--events', 'order.made'],
    /no event "order\.made"/,
  ],
  ['an empty event', ['add', 'https://x.invalid/', '--events', ''], /no event ""/],
  [
    'an event that Slack is not told',
    ['add', 'https://x.invalid/', '--slack', '--events', 'order.created'],
    /orders\.stopped, refused\.began/,
  ],
  ['a removal of no webhook', ['remove', 'hook_nothing'], /no webhook with the id "hook_nothing"/],
])('%s is refused in one line, and changes nothing', async ([_, [verb, ...args], message], { shop }) => {
  const { code, stdout, stderr } = await run(shop, verb!, ...args);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(message);
  expect(stderr.trim().split('\n')).toHaveLength(1);
  expect(await shop.sql`select from hook where team_id = ${shop.team}`).toHaveLength(0);
});

test('another team’s webhook can be neither seen nor removed', async ({ server, shop }) => {
  const other = await openShop(server);
  const { id } = await json(shop, 'add', 'https://receiver.invalid/');
  expect((await run(other, 'remove', id)).code).toBe(2);
  expect(await json(other, 'list')).toEqual([]);
  expect(await json(shop, 'list')).toHaveLength(1);
});
