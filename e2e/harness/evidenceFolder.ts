import { fileURLToPath } from 'node:url';

/** Where failing tests of a project leave what they saw; git ignores it, and each run empties it. */
export const evidenceFolder = (project: string): string =>
  fileURLToPath(new URL(`../.evidence/${project}/`, import.meta.url));
