import type { Waiting } from './outbox';
import type { TrackResult } from './result';
export const STARTED = 0;
export const SENT = 1;
export const ENDED = 2;
export type Say = (step: number, ...details: unknown[]) => unknown;
