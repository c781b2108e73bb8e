import { buildStale } from './build.js';

/** Global setup of the projects of specs: browsers load what was built, so it is built before any of them starts. */
export default async function setup(): Promise<void> {
  await buildStale();
}
