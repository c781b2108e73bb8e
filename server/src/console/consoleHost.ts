import type { AddPages, ConsoleParts } from './consoleDeps.js';
import type { ConsoleContext } from './context.js';
import type { Draw, Need, ReadSteps, Section, SetupSection, Spot } from './section.js';

/** The functions by which the console's own sections, and features, add pages and texts to it. */
export interface ConsoleHost {
  /** Adds a page to the navigation. */
  section(section: Section): void;
  /** Adds a page to Setup, before the page Shop. Its state is shown among Setup's steps, so no page draws it. One feature has one. */
  setupPage(page: SetupSection): void;
  /**
   * Adds pages below a team's address. Their forms are small and are read before the page's handler runs.
   * @param forms.areFiles set if forms carry files: the pages limit and read these themselves
   */
  pages(add: AddPages, forms?: { areFiles: boolean }): void;
  /** Makes an address without a team, and all below it, lead to the first team. Bookmarks use it. A section's path is one. */
  bookmark(path: string): void;
  /** Adds a text to a spot of another page. */
  draw(spot: Spot, draw: Draw): void;
  /**
   * Adds a function that finds a problem which needs a person; null if it finds none.
   * @param at its position among all: from 0, the first and worst
   */
  trouble(at: number, read: (c: ConsoleContext) => Promise<Need | null>): void;
  /** Adds a function that reads steps for the timeline of an order. */
  timeline(read: ReadSteps): void;
}

/** Creates a host, and the function that returns all that was added to it. */
export function createConsoleHost(): { host: ConsoleHost; parts: () => ConsoleParts } {
  const sections: Section[] = [];
  const setupPages: SetupSection[] = [];
  const pages: AddPages[] = [];
  const filePages: AddPages[] = [];
  const bookmarks: string[] = [];
  const drawings: { spot: Spot; draw: Draw }[] = [];
  const troubles: { at: number; read: (c: ConsoleContext) => Promise<Need | null> }[] = [];
  const timelines: ReadSteps[] = [];

  return {
    host: {
      section: (section) => void sections.push(section),
      setupPage: (page) => void setupPages.push(page),
      pages: (add, forms) => void (forms?.areFiles ? filePages : pages).push(add),
      bookmark: (path) => void bookmarks.push(path),
      draw: (spot, draw) => void drawings.push({ spot, draw }),
      trouble: (at, read) => void troubles.push({ at, read }),
      timeline: (read) => void timelines.push(read),
    },
    parts: () => ({
      sections: byPosition(sections),
      setupPages,
      pages,
      filePages,
      bookmarks: [...sections.flatMap(({ path }) => path || []), ...bookmarks],
      async draw(spot, c) {
        const drawn = await Promise.all(
          drawings.filter((each) => each.spot === spot).map(({ draw }) => draw(c)),
        );
        return drawn.filter((each) => each !== null);
      },
      async readNeeds(c) {
        const needs = await Promise.all(byPosition(troubles).map(({ read }) => read(c)));
        return needs.filter((need) => need !== null);
      },
      async readSteps(c, order) {
        return (await Promise.all(timelines.map((read) => read(c, order)))).flat();
      },
    }),
  };
}

const byPosition = <Positioned extends { at: number }>(all: readonly Positioned[]) =>
  all.toSorted((one, other) => one.at - other.at);
