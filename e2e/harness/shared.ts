import { inject } from 'vitest';
import type { PlaywrightEngine } from '../browsers/launch.ts';
import {
  attach,
  type Orderbeacon,
  type OwnOrderbeacon,
  type RunningOrderbeacon,
  startOrderbeacon,
} from './orderbeacon.ts';

/**
 * Returns the run's one server. The first spec that asks starts it. Each spec makes a team in it. A spec that breaks the server,
 * or tests its first start, starts another one (`startOwnOrderbeacon`).
 */
export async function sharedOrderbeacon(): Promise<Orderbeacon> {
  return attach(await runningShared());
}

/** Starts a server for one spec. The run's command process runs its commands. */
export async function startOwnOrderbeacon(more: Record<string, string> = {}): Promise<OwnOrderbeacon> {
  const own = await startOrderbeacon(more);
  return { ...own, ...(await withCommandRunner(own.running)) };
}

/** Returns a running server whose commands run in the run's command process, and not in a process each. */
export async function withCommandRunner(running: RunningOrderbeacon): Promise<Orderbeacon> {
  return attach({ ...running, commandRunner: (await runningShared()).commandRunner! });
}

async function runningShared(): Promise<RunningOrderbeacon> {
  const response = await fetch(inject('orderbeaconOnDemand'));
  if (!response.ok) throw new Error(await response.text());
  return (await response.json()) as RunningOrderbeacon;
}

/** Returns the endpoint of the run's one browser of an engine. The first spec that asks starts it. */
export async function sharedBrowser(engine: PlaywrightEngine): Promise<string> {
  const response = await fetch(`${inject('browsersOnDemand')}/${engine}`);
  if (!response.ok) throw new Error(await response.text());
  return response.text();
}
