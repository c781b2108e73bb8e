import { expect, it } from 'vitest';
import { createNoteFault } from '../../src/monitoring/noteFaults.js';

it('a fault that repeats is counted each time, and logged once a minute for each work and kind', () => {
  const lines: object[] = [];
  const counted: string[] = [];
  let ms = 0;
  const noteFault = createNoteFault(
    { error: (line: object) => void lines.push(line) } as never,
    (work) => counted.push(work),
    () => ms,
  );
  const locked = Object.assign(new Error('canceling statement due to lock timeout'), { code: '55P03' });
  for (ms = 0; ms < 61_000; ms += 1_000) noteFault('hook_deliveries', locked);
  noteFault('hook_checks', locked);
  noteFault('hook_deliveries', new TypeError('x is undefined'));
  expect(lines).toEqual([
    { work: 'hook_deliveries', fault: '55P03', error: locked.message },
    { work: 'hook_deliveries', fault: '55P03', error: locked.message, times: 60 },
    { work: 'hook_checks', fault: '55P03', error: locked.message },
    { work: 'hook_deliveries', fault: 'TypeError', error: expect.stringContaining('noteFaults.test.ts') },
  ]);
  expect(counted).toHaveLength(63);
});
