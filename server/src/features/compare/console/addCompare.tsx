import { Hono, type MiddlewareHandler } from 'hono';
import type { ConsoleHost } from '../../../console/consoleHost.js';
import { type ConsoleContext, type ConsoleEnv, useConsole } from '../../../console/context.js';
import { limitForms, readForm } from '../../../console/forms.js';
import { counted, modeText } from '../../../console/parts/format.js';
import { renderPage, setFlash } from '../../../console/parts/layout.js';
import type { PlaceStatements } from '../../../core/orders/merge/placing.js';
import type { StoreReport } from '../../../core/orders/store/storeReport.js';
import type { InTurn } from '../../../database/turns.js';
import { columnKey } from '../../../values/csvHeads.js';
import { FileError } from '../../../values/errors.js';
import { nilUuid } from '../../../values/ids.js';
import type { NamedColumns } from '../read/chooseColumns.js';
import type { ReadOptions } from '../read/fileOrder.js';
import { listPresses, takeBackSome } from '../store/comparePress.js';
import { Compare } from './compare.js';
import { areNewField, type CompareChoices, columnFields, readPaidWords } from './compareForm.js';
import { type CompareUpload, createCompareUpload } from './compareUpload.js';
import { readUpload } from './readUpload.js';
import type { StoredMissing } from './shownComparison.js';
import { packedFormBytes, uploadBytes } from './uploads.js';

/** Adds the page that compares the stored orders with an uploaded export of the shop. */
export function addCompare(console: ConsoleHost, storeReport: StoreReport): void {
  console.draw('besideOrders', () => <CompareLink />);
  console.bookmark('/compare');
  console.pages(
    (app, { inTurn, secret, place, clock }) => {
      const nowMs = () => clock.nowMs();
      const deps = { secret, storeReport, place, nowMs };
      app.route('/compare', compareRoutes(createCompareUpload(inTurn, deps)));
    },
    { areFiles: true },
  );
  console.pages((app, { inTurn, place }) => {
    // Handles a reload by the address. Only the page before had the file.
    for (const path of ['/compare/again', '/compare/store', '/compare/undo'])
      app.get(path, (c) => {
        setFlash(c, { words: 'Nothing of a file is kept. Choose it again.', tone: 'warn' });
        return c.redirect(c.var.link('/compare'), 303);
      });
    app.post('/compare/undo', (c) => takeBack(c, inTurn, place));
  });
}

function CompareLink() {
  return <a href={useConsole().link('/compare')}>Compare with your shop’s export</a>;
}

const page = { title: 'Compare', here: 'Orders', path: '/compare' } as const;

/**
 * `GET` and `POST …/compare`: asks for a shop's export and shows the differences. These forms carry a file, so they are
 * handled before the limit of all other forms.
 */
function compareRoutes(compareUpload: CompareUpload): Hono<ConsoleEnv> {
  const readFile = readFormWithFile(compareUpload);

  return (
    new Hono<ConsoleEnv>()
      .get('/', async (c) => renderPage(c, <Compare presses={await readPresses(c)} />, page))
      // Compares a file. Stores nothing.
      .post('/', async (c) => {
        const { teamId } = c.var.session;
        const packed = await compareUpload.receive(teamId, () => readUpload(c.req.raw, uploadBytes));
        return showComparison(compareUpload, c, { packed, chosen: {} });
      })
      // Compares the file that the page carries, with other choices.
      .post('/again', readFile, (c) => showComparison(compareUpload, c, takeFile(c)))
      // Stores the missing orders of the file that the page carries, and compares it again.
      .post('/store', readFile, async (c) => {
        const { packed, chosen } = takeFile(c);
        const { teamId } = c.var.session;
        const areNew = chosen[areNewField] !== undefined;
        try {
          const stored = await compareUpload.store(teamId, packed, readOptions(c, chosen), areNew);
          return await showComparison(compareUpload, c, { packed, chosen, stored });
        } catch (error) {
          if (!(error instanceof FileError)) throw error;
          return showComparison(compareUpload, c, { packed, chosen });
        }
      })
  );
}

/** Reads a form of some megabytes, which carries a file. Each team may send one at a time. */
function readFormWithFile({ receiveForm }: CompareUpload): MiddlewareHandler<ConsoleEnv> {
  const [limit, read] = [limitForms(packedFormBytes), readForm()];
  return async function readFormWithFile(c, next) {
    await receiveForm(c.var.session.teamId, async () => {
      await limit(c, async () => void (await read(c, async () => {})));
    });
    return next();
  };
}

async function showComparison(
  compareUpload: CompareUpload,
  c: ConsoleContext,
  { packed, chosen, stored }: { packed: string; chosen: CompareChoices; stored?: StoredMissing },
) {
  const [compared, presses] = await Promise.all([
    compareUpload.compare(c.var.session.teamId, packed, readOptions(c, chosen)),
    readPresses(c),
  ]);
  if (compared.refusal) c.status(400);
  const before = presses.filter(({ id }) => id !== stored?.press?.id);
  const props = { packed, chosen, compared, presses: before, ...(stored && { stored }) };
  return renderPage(c, <Compare {...props} />, page);
}

/** Lists the presses of the store button that have stored orders within the last day, in the page's mode. */
const readPresses = ({ var: { query, isTest, viewer } }: ConsoleContext) =>
  query(listPresses, { isTest, now: viewer.now });

/** Removes the orders that one press of the store button has stored, in the page's mode, and shows the result. */
async function takeBack(c: ConsoleContext, inTurn: InTurn, place: PlaceStatements): Promise<Response> {
  const { form, isTest, link, session, viewer } = c.var;
  const press = {
    id: /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/.test(form.press ?? '') ? form.press! : nilUuid,
    isTest,
    now: viewer.now,
  };
  let [removed, kept] = [0, 0];
  for (let isMore = true; isMore; ) {
    const some = await inTurn(session.teamId, (sql) => takeBackSome(sql, session.teamId, press, place));
    removed += some?.removed ?? 0;
    kept += some?.kept ?? 0;
    isMore = some?.isMore ?? false;
  }
  const order = `${modeText(isTest)} order`;
  const words = [
    removed > 0 && `${counted(removed, `${order} is`, viewer, `${order}s are`)} removed again.`,
    kept > 0 &&
      `${counted(kept, 'stays', viewer, 'stay')}, because ${kept === 1 ? 'it was' : 'they were'} changed or refunded since.`,
  ].filter((sentence) => typeof sentence === 'string');
  if (words.length === 0)
    words.push('Nothing was left to take back: it was taken back already, or stored more than a day ago.');
  setFlash(c, { words: words.join(' '), tone: removed > 0 && kept === 0 ? 'good' : 'bad' });
  return c.redirect(link('/compare'), 303);
}

function takeFile(c: ConsoleContext): { packed: string; chosen: CompareChoices } {
  const { packed = '', ...chosen } = c.var.form;
  return { packed, chosen };
}

function readOptions(c: ConsoleContext, chosen: CompareChoices): Omit<ReadOptions, 'nowMs'> {
  const { decimal, dates, currency } = chosen;
  const columns: NamedColumns = {};
  for (const [name] of columnFields) if (chosen[name]) columns[name] = chosen[name];
  if (currency) columns.currency = currency.trim();
  return {
    columns,
    decimal: decimal === 'point' || decimal === 'comma' ? decimal : null,
    dateOrder: dates === 'dmy' || dates === 'mdy' ? dates : null,
    zone: c.var.viewer.zone,
    alsoPaid: new Set(readPaidWords(chosen).map(columnKey)),
    isTest: c.var.isTest,
  };
}
