import type { Handler } from 'hono';
import type { NamedColumns } from '../../compare/chooseColumns.js';
import { FileError } from '../../compare/fileError.js';
import type { ReadOptions } from '../../compare/fileOrders.js';
import type { ConsoleContext, ConsoleDeps, ConsoleEnv } from '../context.js';
import { renderPage } from '../parts/layout.js';
import { Compare } from './compare.js';
import { type CompareChoices, columnFields, readChoices } from './compareForm.js';
import { type ShownComparison, uploadBytes } from './compareUpload.js';
import { readUpload } from './readUpload.js';

const page = { title: 'Compare', here: 'Orders' } as const;

/** `GET /console/compare`: asks for a shop's export. */
export function getCompare(): Handler<ConsoleEnv> {
  return function getCompare(c) {
    return renderPage(c, <Compare chosen={{ mode: c.var.session.isDemo ? 'test' : 'live' }} />, page);
  };
}

/** `POST /console/compare`: compares a file as it arrives, and shows the differences. Stores nothing. */
export function postCompare({ compareUpload }: ConsoleDeps): Handler<ConsoleEnv> {
  return async function postCompare(c) {
    const { fields, file } = await readUpload(c.req.raw, uploadBytes);
    const chosen = readChoices(fields);
    try {
      return await showComparison(
        c,
        chosen,
        await compareUpload.compare(c.var.session, file, readOptions(chosen)),
      );
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      c.status(400);
      return renderPage(c, <Compare chosen={chosen} refusal={error.message} />, page);
    }
  };
}

/** `POST /console/compare/store`: stores the missing orders that the page of a comparison has shown. */
export function postCompareStore({ compareUpload }: ConsoleDeps): Handler<ConsoleEnv> {
  return async function postCompareStore(c) {
    const stored = await compareUpload.store(c.var.session, c.var.form.orders ?? '');
    return renderPage(c, <Compare chosen={readChoices(c.var.form)} stored={stored} />, page);
  };
}

function showComparison(c: ConsoleContext, chosen: CompareChoices, shown: ShownComparison) {
  return renderPage(c, <Compare chosen={chosen} shown={shown} />, page);
}

function readOptions(chosen: CompareChoices): Omit<ReadOptions, 'nowMs'> {
  const { mode, decimal, dates, currency } = chosen;
  const columns: NamedColumns = {};
  for (const [name] of columnFields) if (chosen[name]) columns[name] = chosen[name];
  if (currency) columns.currency = currency;
  return {
    columns,
    decimal: decimal === 'point' || decimal === 'comma' ? decimal : null,
    dateOrder: dates === 'dmy' || dates === 'mdy' ? dates : null,
    alsoPaid: new Set(),
    isTest: mode === 'test',
  };
}
