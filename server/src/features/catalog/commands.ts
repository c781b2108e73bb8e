import type { Issue } from '@orderbeacon/sdk/contract';
import type { Command } from 'commander';
import { teamSubcommand, UsageError, withTeam } from '../../commands/command.js';
import { nameOf, readWholeInput } from '../../commands/input.js';
import { addList } from '../../commands/resource.js';
import type { CommandServices } from '../../host/host.js';
import { encodeId } from '../../values/ids.js';
import { parseJson } from '../../values/json.js';
import { sanitizeForTerminal } from '../../values/sanitizeForTerminal.js';
import { importProducts } from './importProducts.js';
import { parseProductFile } from './parseProductFile.js';
import { listProducts } from './productRows.js';

/** Invalid fields that one message lists at most. */
const issuesNamed = 100;

/** Adds the commands `orderbeacon product …`. */
export function addProductCommands(program: Command, { io }: CommandServices): void {
  const product = program.command('product').description('Products, in the form of the product look-up.');

  teamSubcommand(
    product,
    'import',
    'Imports products: a JSON array in the form of the look-up, or the products of the API of Shopify or WooCommerce. A product with a known slug is updated and keeps its ids. Wrong ones are listed, and the others are stored. Derived fields (links, hasVariants, isSoldOut) are ignored.',
    'product import --team team_… products.json',
  )
    .argument('<file>', 'a JSON file, or - for stdin; each product needs title, slug, type and price')
    .option('--currency <code>', 'the currency of products that name none', 'USD')
    .action(
      withTeam<{ currency: string }>(io, async ({ sql, team }, { currency }, file) => {
        const { products, issues } = parseProductFile(
          parse(file!, await readWholeInput(io, file!)),
          currency,
        );
        const complaint = describeIssues(issues);
        if (products.length === 0 && issues.length > 0)
          throw new UsageError(`Nothing was imported: ${complaint.join('; ')}.`);
        if (issues.length > 0) io.exitCode = 1;
        const stored = await importProducts(sql, team.id, products);
        const imported = stored.map(({ id, slug }) => ({ id: encodeId('prd', id), slug }));
        return {
          json: { imported: imported.length, products: imported, issues },
          text: [...complaint.map(sanitizeForTerminal), `Imported ${imported.length} products.`].join('\n'),
        };
      }),
    );

  addList(product, io, {
    description: 'Lists the products.',
    read: async ({ sql, team }) =>
      (await listProducts(sql, team.id)).map((row) => {
        const { id, slug, title, type, price, currency, isActive } = JSON.parse(row.body).data;
        return { id, slug, title, type, price, currency, isActive };
      }),
    columns: {
      ID: (row) => row.id,
      SLUG: (row) => row.slug,
      TITLE: (row) => row.title,
      TYPE: (row) => row.type,
      PRICE: (row) => `${row.price} ${row.currency}`,
    },
  });
}

function parse(file: string, text: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    const isJson = /^\s*[[{]/.test(text);
    const hint = isJson ? '' : ' It takes JSON, as the API of the shop answers it, and no CSV.';
    throw new UsageError(`${nameOf(file)} is not valid JSON: ${(error as Error).message}.${hint}`);
  }
}

/** Lists invalid fields by the index of the product in the file. */
function describeIssues(issues: readonly Issue[]): string[] {
  const named = issues.slice(0, issuesNamed).map(({ path, message }) => `${path} ${message}`);
  return issues.length > issuesNamed ? [...named, `and ${issues.length - issuesNamed} more`] : named;
}
