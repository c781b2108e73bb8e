import { ordersPart } from '../console/orders/part.js';
import type { ConsolePart } from '../console/part.js';
import { setupPart } from '../console/setup/part.js';
import type { StoreReport } from '../core/orders/storeReport.js';
import { createComparePart } from '../features/compare/console/part.js';
import { overviewPart } from '../features/overview/consolePart.js';
import { pageCheckPart } from '../features/pageCheck/console/part.js';
import { createRefusedPart } from '../features/refused/console/part.js';
import type { RefusedKeeper } from '../features/refused/keepRefused.js';
import { silencePart } from '../features/silence/consolePart.js';
import { sourcesPart } from '../features/sources/console/part.js';
import { webhooksPart } from '../features/webhooks/console/part.js';

/** Makes the parts of the console, in the order of the navigation and of what needs somebody. */
export function createConsoleParts({
  storeReport,
  findUnkept,
}: {
  storeReport: StoreReport;
  findUnkept: RefusedKeeper['findUnkept'];
}): readonly ConsolePart[] {
  return [
    overviewPart,
    ordersPart,
    silencePart,
    createRefusedPart({ storeReport, findUnkept }),
    webhooksPart,
    setupPart,
    sourcesPart,
    pageCheckPart,
    createComparePart(storeReport),
  ];
}
