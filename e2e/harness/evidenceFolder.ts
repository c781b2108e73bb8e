import { fileURLToPath } from 'node:url';

/** The folder for the evidence of failed tests of a project. Git ignores it, and each run empties it. */
export const evidenceFolder = (project: string): string =>
  fileURLToPath(new URL(`../.evidence/${project}/`, import.meta.url));
