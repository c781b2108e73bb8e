import type { Child } from 'hono/jsx';
import type { Fragment, Sql } from '../database/connection/connect.js';
import type { Uuid } from '../values/ids.js';
import type { ConsoleContext, NavigationPage } from './context.js';
import type { Tone } from './parts/panel.js';
import type { TimelineStep } from './parts/timeline.js';
import type { WholeOrderRow } from './sql/shownOrders.js';

/** A page in the navigation. */
export interface Section extends NavigationPage {
  /** Position in the navigation: from 0, the first. */
  at: number;
  /** Reads the mark of its entry, such as a number. */
  mark?(c: ConsoleContext): Promise<Child>;
  /**
   * Selects the ids and times (`id`, `at`) of the newest rows that its live pages show. It runs once a second while one is
   * open, as a part of the statement of `findNews`. One section has it.
   */
  news?(sql: Sql, teamId: Uuid): Fragment;
}

/** A page of Setup. Its title identifies it. */
export interface SetupPage {
  title: string;
  path: string;
}

/** A page of Setup that reads its own state. */
export interface SetupSection extends SetupPage {
  state(c: ConsoleContext): Promise<SetupState>;
}

/** State of a page of Setup, in a few words. */
export interface SetupState {
  tone: Tone | undefined;
  about: string;
}

/** A problem that needs a person. The worst one is shown on a line, the others as links. */
export interface Need {
  tone: Tone;
  /** The problem in a few words, and more about it. */
  title: string;
  about?: Child;
  href: string;
  button: string;
}

/** Draws a feature's text on a page; null for none. */
export type Draw = (c: ConsoleContext) => Child | Promise<Child>;

/** Reads the steps that a feature adds to the timeline of an order. */
export type ReadSteps = (c: ConsoleContext, order: WholeOrderRow) => Promise<TimelineStep[]>;

/** Positions on pages where features add texts. */
export type Spot =
  /** A line above the overview's figures. */
  | 'aboveFigures'
  /** Sentences on how a shop system confirms orders, among the first steps. */
  | 'confirmation'
  /** A link after the title of the list of orders. */
  | 'besideOrders'
  /** A sentence below the list of orders of a shop that has none yet. */
  | 'noOrderYet'
  /** A sentence on orders of hosts that are not allowed. */
  | 'besideDomains'
  /** Content that replaces the pieces of a platform on the page Install. */
  | 'insteadOfPieces'
  /** A link below the second piece, for the platform that is shown. */
  | 'belowPieces'
  /** A panel of the page Install, before the orders that arrive. */
  | 'beforeTrying'
  /** A half-sentence on what to do if a tried order does not come. */
  | 'nothingCame'
  /** A panel of the page Shop. */
  | 'belowShop';
