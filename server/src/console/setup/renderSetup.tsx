import type { Child } from 'hono/jsx';
import type { ConsoleContext } from '../context.js';
import { renderPage } from '../parts/layout.js';
import type { loadSetup } from './loadSetup.js';
import { SetupNavigation, type SetupPart } from './setupNavigation.js';
import { ZoneOffer } from './zoneOffer.js';

/** Answers with a page of the setup, beside its navigation. */
export function renderSetup(
  c: ConsoleContext,
  setup: Awaited<ReturnType<typeof loadSetup>>,
  { part, content, isRefused = false }: { part: SetupPart; content: Child; isRefused?: boolean },
): Promise<Response> {
  c.status(isRefused ? 400 : 200);
  return renderPage(
    c,
    <div class="setup">
      <div data-fresh="steps">
        <SetupNavigation part={part} {...setup} />
      </div>
      <div class="stack">
        <ZoneOffer />
        {content}
      </div>
    </div>,
    { title: `Setup: ${part}`, here: 'Setup', isLive: true },
  );
}
