/** Mutations of the SDK; see `mutations.js`. */

/** @type {import('../mutations.js').Mutation[]} */
export const mutationsOfSdk = [
  {
    promise: 'A report stays in the outbox until it has an answer',
    file: 'sdk/src/delivery.ts',
    text: 'if (result && !retryAfterMs) return end(sent.key, result);',
    by: 'if (!retryAfterMs) return end(sent.key, result!);',
    tests: ['sdk/test/delivery.test.ts'],
  },
  {
    promise: 'A retry has the reportId of its first try',
    file: 'sdk/src/tracker.ts',
    text: 'reportId: key, sdkVersion',
    by: 'reportId: newId(browser), sdkVersion',
    tests: ['sdk/test/tracker.test.ts'],
  },
  {
    promise: 'Only the answer to this very report counts',
    file: 'sdk/src/answer.ts',
    text: 'data?.reportId === reportId',
    by: 'data?.reportId',
    tests: ['sdk/test/answer.test.ts'],
  },
  {
    promise: 'A report is given up after 72 hours',
    file: 'sdk/src/delivery.ts',
    text: 'now() - since > ageMsAtMost',
    by: 'now() - since < 0',
    tests: ['sdk/test/delivery.test.ts'],
  },
  {
    promise: 'Without consent no visitor leaves the browser',
    file: 'sdk/src/outbox.ts',
    text: 'visitorId: undefined, landings: undefined',
    by: 'landings: undefined',
    tests: ['sdk/test/outbox.test.ts', 'sdk/test/tracker.test.ts'],
  },
  {
    promise: 'No email in the address of a landing leaves the browser',
    file: 'sdk/src/landing.ts',
    text: '(?![^&]*(@|%40))',
    by: '',
    tests: ['sdk/test/visitor.test.ts'],
  },
  {
    promise: 'Waits between tries grow, up to a bound',
    file: 'sdk/src/delivery.ts',
    text: 'Math.min(msAtMost, 334 * 1.5 ** sent.tries)',
    by: '334 * 1.5 ** sent.tries',
    tests: ['sdk/test/delivery.test.ts'],
  },
];
