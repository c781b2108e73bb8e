import type { Child } from 'hono/jsx';
import type { Fragment, Sql } from '../database/connection/connect.js';
import type { Uuid } from '../values/ids.js';
import type { ConsoleContext, NavigationPage } from './context.js';
import type { Tone } from './parts/panel.js';
import type { TimelineStep } from './parts/timeline.js';
import type { WholeOrderRow } from './sql/shownOrders.js';

/** A page in the navigation. */
export interface Section extends NavigationPage {
  /** Its position: from 0, the first. */
  at: number;
  /** Reads what marks it there, such as a number. */
  mark?(c: ConsoleContext): Promise<Child>;
  /**
   * Selects the ids and times (`id`, `at`) of the newest that its live pages show. It runs once a second while one is open. One
   * section has it: live pages ask with one statement, as all slots of statements do.
   */
  news?(sql: Sql, teamId: Uuid): Fragment;
}

/** A page of Setup, by its title. */
export interface SetupPage {
  title: string;
  path: string;
}

/** A page of Setup that reads its own state. */
export interface SetupSection extends SetupPage {
  state(c: ConsoleContext): Promise<SetupState>;
}

/** State of a page of Setup, in few words. */
export interface SetupState {
  tone: Tone | undefined;
  about: string;
}

/** One thing that needs somebody: in a line of its own where it is the worst, else as a link. */
export interface Need {
  tone: Tone;
  /** The fault in few words, and more of it. */
  title: string;
  about?: Child;
  href: string;
  button: string;
}

/** Draws what a page shows of a feature; null for nothing. */
export type Draw = (c: ConsoleContext) => Child | Promise<Child>;

/** Reads what is known of an order, for its timeline. */
export type ReadSteps = (c: ConsoleContext, order: WholeOrderRow) => Promise<TimelineStep[]>;

/** Places of pages where others draw. */
export type Spot =
  /** A line above the overview's figures. */
  | 'aboveFigures'
  /** Sentences on how a shop system confirms orders, among the first steps. */
  | 'confirmation'
  /** A link beside the title of the list of orders. */
  | 'besideOrders'
  /** A sentence below the list of orders of a shop that has none yet. */
  | 'noOrderYet'
  /** A sentence on orders of hosts that are not allowed. */
  | 'besideDomains'
  /** What the page Install offers in place of the pieces of a platform, above them. */
  | 'insteadOfPieces'
  /** A link below the second piece, for the platform that is shown. */
  | 'belowPieces'
  /** A panel of the page Install, before the orders that arrive. */
  | 'beforeTrying'
  /** A half-sentence on what to do if a tried order does not come. */
  | 'nothingCame'
  /** A panel of the page Shop. */
  | 'belowShop';
