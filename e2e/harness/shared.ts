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
 * The run's one server, started by the first spec that asks. Specs meet there, so each makes a team of its own; a spec
 * that breaks the server, or looks at its first start, starts its own (`startOwnOrderbeacon`).
 */
export async function sharedOrderbeacon(): Promise<Orderbeacon> {
  return attach(await runningShared());
}

/** Starts a server for one spec alone. The run's command process runs the commands beside it. */
export async function startOwnOrderbeacon(more: Record<string, string> = {}): Promise<OwnOrderbeacon> {
  const own = await startOrderbeacon(more);
  return { ...own, ...(await withCommandRunner(own.running)) };
}

/** A running server, beside which the run's command process runs the commands, not a process for each. */
export async function withCommandRunner(running: RunningOrderbeacon): Promise<Orderbeacon> {
  return attach({ ...running, commandRunner: (await runningShared()).commandRunner! });
}

async function runningShared(): Promise<RunningOrderbeacon> {
  const response = await fetch(inject('orderbeaconOnDemand'));
  if (!response.ok) throw new Error(await response.text());
  return (await response.json()) as RunningOrderbeacon;
}

/** The endpoint of the run's one browser of an engine, started by the first spec that asks. */
export async function sharedBrowser(engine: PlaywrightEngine): Promise<string> {
  const response = await fetch(`${inject('browsersOnDemand')}/${engine}`);
  if (!response.ok) throw new Error(await response.text());
  return response.text();
}
