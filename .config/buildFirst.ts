import type { TestProject } from 'vitest/node';
import { buildStale } from './build.js';

/** Global setup of every room: no test runs against files that were built from older sources. */
export default async function setup(project: TestProject): Promise<void> {
  await buildStale();
  project.onTestsRerun(() => buildStale());
}
