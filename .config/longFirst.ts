import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take the longest, longest first. They would keep a run waiting if they came last. */
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
    'test/embeddedMoved',
    'test/timeBounds',
    'test/embedded',
    'test/hooksDelivered',
    'test/release',
    'test/backup',
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
