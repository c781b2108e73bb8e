import type { Handler, MiddlewareHandler } from 'hono';
import type { NamedColumns } from '../../compare/chooseColumns.js';
import { columnKey } from '../../compare/knownColumns.js';
import type { ReadOptions } from '../../compare/readRow.js';
import { FileError } from '../../values/fileError.js';
import type { ConsoleContext, ConsoleDeps, ConsoleEnv } from '../context.js';
import { limitForms, readForm } from '../forms.js';
import { renderPage } from '../parts/layout.js';
import { Compare } from './compare.js';
import { type CompareChoices, columnFields, readPaidWords } from './compareForm.js';
import type { StoredMissing } from './compareUpload.js';
import { readUpload } from './readUpload.js';
import { packedFormBytes, uploadBytes } from './uploads.js';

const page = { title: 'Compare', here: 'Orders' } as const;

/** `GET /compare`: asks for a shop's export. */
export function getCompare(): Handler<ConsoleEnv> {
  return function getCompare(c) {
    return renderPage(c, <Compare />, page);
  };
}

/** `POST /compare`: takes a file, and shows the differences. Stores nothing. */
export function postCompare(deps: ConsoleDeps): Handler<ConsoleEnv> {
  return async function postCompare(c) {
    const packed = await deps.compareUpload.receive(c.var.session.teamId, () =>
      readUpload(c.req.raw, uploadBytes),
    );
    return showComparison(deps, c, { packed, chosen: { mode: c.var.session.isDemo ? 'test' : 'live' } });
  };
}

/** Reads a form of some megabytes, which carries a file. Like files, one of a team arrives at a time. */
export function readFormWithFile({ compareUpload }: ConsoleDeps): MiddlewareHandler<ConsoleEnv> {
  const [limit, read] = [limitForms(packedFormBytes), readForm()];
  return async function readFormWithFile(c, next) {
    await compareUpload.receiveForm(c.var.session.teamId, async () => {
      await limit(c, async () => void (await read(c, async () => {})));
    });
    return next();
  };
}

/** `POST /compare/again`: compares the file of the page by other choices. */
export function postCompareAgain(deps: ConsoleDeps): Handler<ConsoleEnv> {
  return function postCompareAgain(c) {
    return showComparison(deps, c, takeFile(c));
  };
}

/** `POST /compare/store`: stores the missing orders of the file of the page, and compares it again. */
export function postCompareStore(deps: ConsoleDeps): Handler<ConsoleEnv> {
  return async function postCompareStore(c) {
    const { packed, chosen } = takeFile(c);
    try {
      const stored = await deps.compareUpload.store(c.var.session.teamId, packed, readOptions(c, chosen));
      return await showComparison(deps, c, { packed, chosen, stored });
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      return showComparison(deps, c, { packed, chosen });
    }
  };
}

async function showComparison(
  { compareUpload }: ConsoleDeps,
  c: ConsoleContext,
  { packed, chosen, stored }: { packed: string; chosen: CompareChoices; stored?: StoredMissing },
) {
  const compared = await compareUpload.compare(c.var.session.teamId, packed, readOptions(c, chosen));
  if (compared.refusal) c.status(400);
  const props = { packed, chosen, compared, ...(stored && { stored }) };
  return renderPage(c, <Compare {...props} />, page);
}

function takeFile(c: ConsoleContext): { packed: string; chosen: CompareChoices } {
  const { packed = '', ...chosen } = c.var.form;
  return { packed, chosen };
}

function readOptions(c: ConsoleContext, chosen: CompareChoices): Omit<ReadOptions, 'nowMs'> {
  const { mode, decimal, dates, currency } = chosen;
  const columns: NamedColumns = {};
  for (const [name] of columnFields) if (chosen[name]) columns[name] = chosen[name];
  if (currency) columns.currency = currency.trim();
  return {
    columns,
    decimal: decimal === 'point' || decimal === 'comma' ? decimal : null,
    dateOrder: dates === 'dmy' || dates === 'mdy' ? dates : null,
    zone: c.var.viewer.zone,
    alsoPaid: new Set(readPaidWords(chosen).map(columnKey)),
    isTest: mode === 'test',
  };
}
