import { listNewestRefused } from '../features/refused/listedRefused.js';
import { startSharedServer as startShared } from '../features/testing/sharedServer.js';
import { startOrderbeacon as start, type TestParts } from '../features/testing/startOrderbeacon.js';
import { listen } from './listen.js';

export { stopSharedServer } from '../features/testing/sharedServer.js';

/** The functions of this server that tests use. */
export const testParts: TestParts = {
  listen,
  listRefused: listNewestRefused,
};

/** `startOrderbeacon` of `@orderbeacon/server/testing`. */
export const startOrderbeacon = (options?: Parameters<typeof start>[1]) => start(testParts, options);

/** The global setup of a test run. */
export const startSharedServer = () => startShared(testParts.listen);
