import { createSemaphore, type Release, type SemaphoreLimits } from '../../values/semaphore.js';

/** Nothing follows a statement that has taken this long: it may wait for a lock, and the rows behind it would wait twice. */
const followWithinMs = 100;

/** Lanes for the statements of groups. A group has one lane while any statement of it is in flight. */
export interface Lanes {
  /** True when no other group can get a lane now. */
  isFull(): boolean;
  /** True when this group has no lane and can get one now. */
  isFree(group: string): boolean;
  /** True when this group has a lane. */
  has(group: string): boolean;
  /** Groups that have a lane. */
  groups(): string[];
  /** Statements in flight, on all lanes. */
  statements(): number;
  /** True when the group's lane has one statement, sent a moment ago, and may have a second. */
  canFollow(group: string): boolean;
  /** Takes a lane for the group's next statement, or its own lane; returns the lane's number, from 0. */
  enter(group: string): number;
  /** Ends one statement of the group; with the last one its lane is free. Nothing follows on a lane where one has failed. */
  leave(group: string, hasFailed: boolean): void;
}

interface TakenLane {
  at: number;
  /** Statements in flight. */
  statements: number;
  /** Time when the last one was sent. */
  sentMs: number;
  release: Release;
}

/**
 * Limits the groups that have statements in flight.
 * @param count number of lanes
 * @param isPipelined true where a second statement of a group may be sent behind its first
 */
export function createLanes(
  count: number,
  { isPipelined, nodeOf }: { isPipelined: boolean } & Pick<SemaphoreLimits, 'nodeOf'>,
): Lanes {
  const lanes = new Map<string, TakenLane>();
  const free = Array.from({ length: count }, (_, at) => at);
  const places = createSemaphore({
    concurrent: count,
    concurrentPerKey: 1,
    waiting: 0,
    ...(nodeOf && { nodeOf }),
  });

  function take(group: string): TakenLane {
    // The one that has rested longest: a connection that was lost takes a moment to close.
    const lane = { at: free.shift()!, statements: 0, sentMs: 0, release: places.tryAcquire(group)! };
    lanes.set(group, lane);
    return lane;
  }

  return {
    isFull: places.isFull,
    isFree: places.isFree,
    has: (group) => lanes.has(group),
    groups: () => [...lanes.keys()],
    statements: () => [...lanes.values()].reduce((sum, { statements }) => sum + statements, 0),
    canFollow(group) {
      const lane = isPipelined ? lanes.get(group) : undefined;
      return lane?.statements === 1 && performance.now() - lane.sentMs <= followWithinMs;
    },
    enter(group) {
      const lane = lanes.get(group) ?? take(group);
      lane.statements++;
      lane.sentMs = performance.now();
      return lane.at;
    },
    leave(group, hasFailed) {
      const lane = lanes.get(group)!;
      lane.statements--;
      if (hasFailed) lane.sentMs = Number.NEGATIVE_INFINITY;
      if (lane.statements > 0) return;
      lanes.delete(group);
      free.push(lane.at);
      lane.release();
    },
  };
}
