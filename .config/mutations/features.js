/** Mutations of the features and the console; see `mutations.js`. */

/** @type {import('../mutations.js').Mutation[]} */
export const mutationsOfFeatures = [
  {
    promise: 'A delivery that succeeded is not sent again',
    file: 'server/src/features/webhooks/attempt.ts',
    text: 'if (result.error === null || isGone(result)) return null;',
    by: 'if (isGone(result)) return null;',
    tests: ['server/test/features/webhooks/hooksDelivered.test.ts'],
  },
  {
    promise: 'A webhook of tests is told of tests alone',
    file: 'server/src/features/webhooks/sql/enqueue.ts',
    text: ' where each."isTest" = subscribed.is_test',
    by: '',
    tests: ['server/test/features/webhooks/hookEvents.test.ts'],
  },
  {
    promise: 'Nothing of an erased buyer stays in deliveries',
    file: 'server/src/features/webhooks/sql/subject.ts',
    text: 'subject_id = null, data = null, answer = null',
    by: 'subject_id = null, answer = null',
    tests: ['server/test/features/webhooks/hooksErased.test.ts'],
  },
  {
    promise: 'A webhook calls public addresses alone',
    file: 'server/src/values/publicLookup.ts',
    text: 'return found.filter(isPublic);',
    by: 'return found;',
    tests: ['server/test/values/publicLookup.test.ts'],
  },
  {
    promise: "The signature of a shop's event is compared",
    file: 'server/src/features/sources/isSigned.ts',
    text: ' && timingSafeEqual(given, expected)',
    by: '',
    tests: ['server/test/features/sources/stripeSignature.test.ts'],
  },
  {
    promise: 'An old recording of a Stripe event is refused',
    file: 'server/src/features/sources/isSigned.ts',
    text: ' || Math.abs(Number(time) * 1000 - nowMs) > toleranceMs',
    by: '',
    tests: ['server/test/features/sources/stripeSignature.test.ts'],
  },
  {
    promise: 'A refused report of an erased buyer is not kept',
    file: 'server/src/features/refused/keepRefused.ts',
    text: "if (erased.has(orderId) || erased.has(reportId) || erased.has(idempotencyKey)) return 'counted';",
    by: '',
    tests: ['server/test/features/refused/refusedPeople.test.ts'],
  },
  {
    promise: 'A day is summed anew when one of its orders changes',
    file: 'server/src/features/overview/markDays.ts',
    text: 'orderChanged: (tx, teamId, { before, after }) =>\n    markRecount(tx, teamId, [before.createdAt, after.createdAt]),',
    by: '',
    tests: ['server/test/features/overview/readOrigins.test.ts'],
  },
  {
    promise: 'Orders have stopped only where all four weeks had some',
    file: 'server/src/features/silence/silence.ts',
    text: '&& fewest >= leastOrders',
    by: '&& fewest > 0',
    tests: ['server/test/features/silence/ordersStopped.test.ts'],
  },
  {
    promise: 'A backup that is not whole is refused',
    file: 'server/src/features/backup/backupRead.ts',
    text: 'if (done) throw refuse();',
    by: 'if (done) return \'"end"\';',
    tests: ['server/test/features/backup/backup.test.ts'],
  },
  {
    promise: 'A link for looking only changes nothing',
    file: 'server/src/console/signIn/session.ts',
    text: "session.isReadOnly && c.req.method === 'POST'",
    by: "session.isReadOnly && c.req.method === 'PUT'",
    tests: ['server/test/console/consoleSignIn.test.ts'],
  },
  {
    promise: 'A form of another site changes nothing',
    file: 'server/src/console/forms.ts',
    text: 'await check(c, async () => {}).catch(() => {',
    by: 'await Promise.resolve().catch(() => {',
    tests: ['server/test/console/consoleSignIn.test.ts'],
  },
];
