import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** Base URL that answers `/sdk` and `/server` when `dist` is up to date; the first request builds. */
    buildOnDemand: string;
  }
}

/** Resolves when the `dist` of each workspace is up to date. Files that use `dist` await it at their top. */
export async function built(...workspaces: ('sdk' | 'server')[]): Promise<void> {
  for (const workspace of workspaces) {
    const response = await fetch(`${inject('buildOnDemand')}/${workspace}`);
    if (!response.ok) throw new Error(await response.text());
  }
}
