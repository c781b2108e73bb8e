import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Files that take the longest, longest first: they would keep a run waiting if they came last. Those of the server that mostly
 * wait are spread among those that compute.
 */
const long = {
  e2e: [
    'specs/retry',
    'specs/consolePages',
    'specs/unload',
    'specs/storage',
    'specs/refused',
    'specs/clocks',
  ],
  server: [
    'test/timeBounds',
    'test/embeddedMoved',
    'test/orderModel',
    'test/release',
    'test/backup',
    'test/hooksDelivered',
    'test/consoleStrangers',
    'test/embedded',
    'test/sourcesRace',
    'test/hooksKilled',
    'test/findSilence',
    'test/generators',
    'test/shutdown',
    'test/twoServers',
    'test/hooksTakeTurns',
    'test/failover',
    'test/chaos',
    'test/compareLong',
    'test/embeddedLock',
    'test/npmStart',
  ],
};
const places = Object.entries(long).flatMap(([room, names]) =>
  names.map((name) => `/${room}/${name}.test.ts`),
);

/** Runs room after room, because files of a room share processes, and the long files of each first. */
export default class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const sorted = await super.sort(files);
    const projects = [...new Set(files.map(({ project }) => project))];
    const rank = ({ moduleId }: TestSpecification) => {
      const at = places.findIndex((path) => moduleId.endsWith(path));
      return at < 0 ? places.length : at;
    };
    return projects.flatMap((of) =>
      sorted.filter(({ project }) => project === of).sort((one, other) => rank(one) - rank(other)),
    );
  }
}
