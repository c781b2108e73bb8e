import { fileURLToPath } from 'node:url';

/** The folder for the evidence of failed tests, with a slash at its end. Git ignores it, and each run empties it. */
export const evidenceFolder = fileURLToPath(new URL('../.evidence/', import.meta.url));
