import type { Command } from 'commander';
import { importProducts } from '../products/importProducts.js';
import { parseProductFile } from '../products/parseProductFile.js';
import { listProducts } from '../products/productRows.js';
import { encodeId } from '../values/ids.js';
import { parseJson } from '../values/json.js';
import { table, teamSubcommand, UsageError, withTeam } from './command.js';
import { nameOf, readWholeInput } from './input.js';
import { type CommandIo, print } from './io.js';

/** Bad fields that one message names. */
const issuesNamed = 100;

/** Products in memory at a time. */
const exportedAtOnce = 100;

/** `orderbeacon product …` */
export function addProductCommands(program: Command, io: CommandIo): void {
  const product = program.command('product').description('Products, in the form of the product look-up.');

  teamSubcommand(
    product,
    'import',
    'Imports a JSON array of products, all or none. A product with a known slug is updated and keeps its ids. Derived fields (links, hasVariants, isSoldOut) are ignored.',
    'product import --team team_… products.json',
  )
    .argument('<file>', 'a file, or - for stdin; each product needs title, slug, type and price')
    .action(
      withTeam(io, async ({ sql, team }, _options, file) => {
        const products = parse(file!, await readWholeInput(io, file!));
        const stored = await importProducts(sql, team.id, products);
        const imported = stored.map(({ id, slug }) => ({ id: encodeId('prd', id), slug }));
        return {
          json: { imported: imported.length, products: imported },
          text: `Imported ${imported.length} products.`,
        };
      }),
    );

  teamSubcommand(product, 'list', 'Lists the products.', 'product list --team team_…').action(
    withTeam(io, async ({ sql, team }) => {
      const products = (await listProducts(sql, team.id)).map((row) => {
        const { id, slug, title, type, price, currency, isActive } = JSON.parse(row.body).data;
        return { id, slug, title, type, price, currency, isActive };
      });
      const rows = products.map((row) => [
        row.id,
        row.slug,
        row.title,
        row.type,
        `${row.price} ${row.currency}`,
      ]);
      return { json: products, text: table(['ID', 'SLUG', 'TITLE', 'TYPE', 'PRICE'], rows) };
    }),
  );

  teamSubcommand(
    product,
    'export',
    'Prints all products in the form of the product look-up. product import reads this output.',
    'product export --team team_… > products.json',
  ).action(
    withTeam(io, async ({ sql, team }) => {
      // Written while it is read: 11,000 products with 64 variants each are too long for one text.
      let before = '[\n';
      for await (const rows of listProducts(sql, team.id).cursor(exportedAtOnce)) {
        for (const { body } of rows) {
          const text = JSON.stringify(JSON.parse(body).data, null, 2);
          await print(io, `${before}  ${text.replaceAll('\n', '\n  ')}`);
          before = ',\n';
        }
      }
      await print(io, before === '[\n' ? '[]\n' : '\n]\n');
      return undefined;
    }),
  );
}

function parse(file: string, text: string) {
  let data: unknown;
  try {
    data = parseJson(text);
  } catch (error) {
    throw new UsageError(`${nameOf(file)} is not valid JSON: ${(error as Error).message}`);
  }
  const { products, issues } = parseProductFile(data);
  if (products) return products;
  const named = issues.slice(0, issuesNamed).map(({ path, message }) => `${path} ${message}`);
  const more = issues.length > issuesNamed ? `; and ${issues.length - issuesNamed} more` : '';
  throw new UsageError(`Nothing was imported: ${named.join('; ')}${more}.`);
}
