import type { ListedHook } from '../../hooks/sql/hook.js';
import type { RefusedSum } from '../../refused/sql/groupRefused.js';

/** Marks of the navigation: refused reports that need attention, and webhooks, of which some may be off. */
export interface Marks {
  refused: readonly RefusedSum[];
  hooks: readonly ListedHook[];
}
