import pino from 'pino';
import { expect, it } from 'vitest';
import { createAnswerLog } from '../../src/monitoring/answers.js';

it('an answered request has the line that pino would write, at its level', () => {
  const lines: string[] = [];
  const log = pino({ base: null, timestamp: () => ',"time":"now"' }, { write: (line) => lines.push(line) });
  const line = {
    method: 'GET',
    route: '/:id',
    status: 403,
    ms: 0.07,
    requestId: 'r"1',
    host: 'shop.example',
  };
  const facts = { fields: ['items.*', '\u2028"'], team: undefined, outcome: 'domain_not_allowed' };
  const writeAnswer = createAnswerLog(log);
  log.info({ ...line, ...facts });
  writeAnswer({ ...line, ...facts });
  expect(lines[1]!.replace(/"time":"\d{4}-\d\d-\d\dT[\d:.]+Z"/, '"time":"now"')).toBe(lines[0]);
  log.level = 'warn';
  writeAnswer(line);
  expect(lines).toHaveLength(2);
});

it('requests that anybody can make up have 1,000 lines a minute, and then a sum; orders have each its own', () => {
  const lines: string[] = [];
  const log = pino({ base: null }, { write: (line) => lines.push(line) });
  let nowMs = 0;
  const writeAnswer = createAnswerLog(log, () => nowMs);
  const line = { method: 'POST', route: '/svc-api/v1/orders', ms: 0.07, requestId: 'r' };
  const team = 'team_01kaefr2ccv1x8h5k7b3n9s4mw';
  for (let n = 0; n < 400; n++) {
    writeAnswer({ ...line, status: 429 });
    writeAnswer({ ...line, status: 403, team });
    writeAnswer({ ...line, status: 200 });
    writeAnswer({ ...line, status: 200, team, outcome: 'new' });
  }
  expect(lines).toHaveLength(1_400);
  nowMs = 60_000;
  writeAnswer({ ...line, status: 401 });
  expect(lines.slice(1_400).map((text) => JSON.parse(text))).toMatchObject([
    { requestsWithoutLine: 200 },
    { status: 401 },
  ]);
});
