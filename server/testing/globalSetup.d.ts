/**
 * Starts one server for a whole run of Vitest, Playwright or Jest, in which every `startOrderbeacon()` then makes a team of its
 * own. Resolves with a function that stops it.
 */
export default function startSharedServer(): Promise<() => Promise<void>>;
