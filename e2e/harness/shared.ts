import { inject } from 'vitest';
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
