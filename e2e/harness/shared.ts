import { inject } from 'vitest';
import type { PlaywrightEngine } from '../browsers/launch.ts';
import { attach, type Orderbeacon, type RunningOrderbeacon } from './orderbeacon.ts';

/**
 * The run's one server, started by the first spec that asks. Specs meet there, so each makes a team of its own;
 * a spec that breaks the server, or looks at its first start, starts its own (`startOrderbeacon`).
 */
export async function sharedOrderbeacon(): Promise<Orderbeacon> {
  const response = await fetch(inject('orderbeaconOnDemand'));
  if (!response.ok) throw new Error(await response.text());
  return attach((await response.json()) as RunningOrderbeacon);
}

/** The endpoint of the run's one browser of an engine, started by the first spec that asks. */
export async function sharedBrowser(engine: PlaywrightEngine): Promise<string> {
  const response = await fetch(`${inject('browsersOnDemand')}/${engine}`);
  if (!response.ok) throw new Error(await response.text());
  return response.text();
}
