import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that mostly wait and take the longest, longest first. They would keep a run waiting if they came last. */
const long = ['embeddedMoved', 'embedded', 'embeddedUnusable', 'timeBounds', 'release', 'backup'].map(
  (name) => `/server/test/${name}.test.ts`,
);

/** Starts the long files of each group of projects first; the others in vitest's order. */
export default class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const rank = ({ moduleId }: TestSpecification) => {
      const at = long.findIndex((path) => moduleId.endsWith(path));
      return at < 0 ? long.length : at;
    };
    const group = ({ project }: TestSpecification) => project.config.sequence.groupOrder;
    const sorted = await super.sort(files);
    return sorted.sort((one, other) => group(one) - group(other) || rank(one) - rank(other));
  }
}
