import { expect, it } from 'vitest';
import { hookBody, testEvent } from '../../../src/features/webhooks/hookBody.js';

const event = { type: 'refused.began', createdAt: new Date('2026-11-22T12:00:00Z') };

it('Slack gets the message of an event with the team’s name, and nothing that it takes for a mark', () => {
  const data = {
    teamName: 'Tom & <Jerry>',
    message: '<!channel> is not among your domains.',
    host: '<!channel>',
  };
  expect(JSON.parse(hookBody({ format: 'slack' }, event, data))).toEqual({
    text: 'Tom &amp; &lt;Jerry&gt;: &lt;!channel&gt; is not among your domains.',
  });
});

it('Slack gets the message of a test', () => {
  expect(JSON.parse(hookBody({ format: 'slack' }, event, testEvent.data))).toEqual({
    text: testEvent.data.message,
  });
});

it('any other hook gets the event as it is', () => {
  const data = { teamName: 'Tom & <Jerry>', message: '<b>' };
  expect(JSON.parse(hookBody({ format: 'standard' }, event, data))).toEqual({
    type: 'refused.began',
    timestamp: '2026-11-22T12:00:00.000Z',
    data,
  });
});
