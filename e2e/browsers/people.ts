import { type BrowserContextOptions, chromium, type Page } from 'playwright';
import { closeInTime } from './closeInTime.ts';
import { patientMs } from './patience.ts';

/** A Chromium for people who do not share cookies. */
export interface People {
  /** Opens a tab of a new person, without cookies. */
  newPerson(options?: BrowserContextOptions): Promise<Page>;
  /** Takes a picture of each open tab, by name. */
  pictures(): Promise<Record<string, Buffer>>;
  /** Closes all tabs. */
  leave(): Promise<void>;
  close(): Promise<void>;
}

/** Connects to the Chromium at `endpoint`, which other tests use, too. */
export async function joinPeople(endpoint: string): Promise<People> {
  const browser = await chromium.connect(endpoint);
  const pages = () => browser.contexts().flatMap((context) => context.pages());
  return {
    async newPerson(options = {}) {
      const context = await browser.newContext({ locale: 'en-US', timezoneId: 'Europe/Berlin', ...options });
      context.setDefaultTimeout(patientMs);
      return context.newPage();
    },
    async pictures() {
      const pictures: Record<string, Buffer> = {};
      for (const [n, page] of pages().entries()) {
        const picture = await page.screenshot({ fullPage: true, timeout: 5_000 }).catch(() => null);
        if (picture) pictures[`person${n + 1}.png`] = picture;
      }
      return pictures;
    },
    async leave() {
      await Promise.all(browser.contexts().map((context) => closeInTime(context.close())));
    },
    close: () => browser.close(),
  };
}
