import type { AddPages, ConsoleParts } from './consoleDeps.js';
import type { ConsoleContext } from './context.js';
import type { Draw, Need, ReadSteps, Section, SetupSection, Spot } from './section.js';

/** What can be added to the console, by its own sections and by features. */
export interface ConsoleHost {
  /** Adds a page to the navigation. */
  section(section: Section): void;
  /** Adds a page to Setup, before that of the shop. One feature does: its state is part of Setup's steps, so that no page draws it. */
  setupPage(page: SetupSection): void;
  /**
   * Adds pages below a team's address. Their forms are small, and have been read.
   * @param forms.areFiles set if forms carry files: the pages limit and read these themselves
   */
  pages(add: AddPages, forms?: { areFiles: boolean }): void;
  /** An address, with all below it, that leads to the first team if it names none, as bookmarks may. A section's path is one. */
  bookmark(path: string): void;
  /** Draws on another page. */
  draw(spot: Spot, draw: Draw): void;
  /**
   * Reads what needs somebody; null for nothing.
   * @param at its position among all: from 0, the first and worst
   */
  trouble(at: number, read: (c: ConsoleContext) => Promise<Need | null>): void;
  /** Reads what is known of an order, for its timeline. */
  timeline(read: ReadSteps): void;
}

/** Makes a host, and the function that reads what was added to it. */
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
