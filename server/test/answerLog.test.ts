import pino from 'pino';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { AnswerLine } from '../src/http/recordAnswer.js';
import { createAnswerLog } from '../src/monitoring/answerLog.js';
import { isoTime } from '../src/values/isoTime.js';

afterEach(() => void vi.useRealTimers());

/** A log as the server makes it, and the texts that were written into it. */
function openLog(level = 'info') {
  const lines: string[] = [];
  const timestamp = () => `,"time":"${isoTime(Date.now())}"`;
  const log = pino({ level, base: null, timestamp }, { write: (line: string) => void lines.push(line) });
  return { log, lines };
}

const order = { method: 'POST', route: '/svc-api/v1/orders' };
const answers: Record<string, AnswerLine> = {
  'a look-up': {
    method: 'GET',
    route: '/svc-api/v1/products/:id',
    status: 200,
    ms: 0.1,
    requestId: 'trace:1-a.b=_+',
  },
  'a stored order': {
    ...order,
    status: 200,
    ms: 12,
    requestId: 'a-1',
    team: 'team_1',
    sdkVersion: '"1.2.3"\\',
    outcome: 'new',
    mode: 'live',
    reportedBy: 'browser',
    sourceKind: undefined,
  },
  'a refusal of a page with an odd host': {
    ...order,
    status: 403,
    ms: 1.25,
    requestId: 'a-2',
    outcome: 'domain_not_allowed',
    host: 'a"b\\c\u2028\ud800\n.example',
    fields: ['items[3].price', '*'],
  },
  'a refusal without a host': {
    ...order,
    status: 403,
    ms: 1,
    requestId: 'a-3',
    outcome: 'origin_required',
    host: null,
  },
};

describe('the line of an answered request', () => {
  it.each(Object.entries(answers))('of %s is the one that pino writes', (_, line) => {
    vi.useFakeTimers({ now: 1_790_000_000_123 });
    const { log, lines } = openLog();
    log.info(line);
    createAnswerLog(log)(line);
    expect(lines[1]).toBe(lines[0]);
  });

  it('is left out at a level that has no lines of answers', () => {
    const { log, lines } = openLog('warn');
    createAnswerLog(log)(answers['a look-up']!);
    expect(lines).toEqual([]);
  });
});
