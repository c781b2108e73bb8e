import type { Command } from 'commander';
import { importProducts } from '../products/importProducts.js';
import { listProducts } from '../products/productRows.js';
import { productFileSchema } from '../products/productSchema.js';
import { parseExactJson } from '../values/exactJson.js';
import { encodeId } from '../values/ids.js';
import { describeIssues } from '../values/issues.js';
import { requireTeam, subcommand, table, UsageError, withDatabase } from './command.js';
import { readWholeInput } from './input.js';
import type { CommandIo } from './io.js';

/** `orderbeacon product …` */
export function addProductCommands(program: Command, io: CommandIo): void {
  const product = program.command('product').description('Products, in the shape of the product lookup.');

  subcommand(
    product,
    'import',
    'Imports a JSON array of products, all or none. A known slug updates that product and keeps its ids. Derived fields (links, hasVariants, isSoldOut) are ignored.',
    'product import --team team_… products.json',
  )
    .argument('<file>', 'a file, or - for stdin; required are title, slug, type and price')
    .requiredOption('--team <id>', 'the team')
    .action(
      withDatabase<{ team: string }>(io, async ({ sql }, options, file) => {
        const team = await requireTeam(sql, options.team);
        const products = parse(file!, await readWholeInput(io, file!));
        const stored = await importProducts(sql, team.id, products);
        const imported = stored.map(({ id, slug }) => ({ id: encodeId('prd', id), slug }));
        return {
          json: { imported: imported.length, products: imported },
          text: `Imported ${imported.length} products.`,
        };
      }),
    );

  subcommand(product, 'list', 'Lists the products.', 'product list --team team_…')
    .requiredOption('--team <id>', 'the team')
    .action(
      withDatabase<{ team: string }>(io, async ({ sql }, options) => {
        const team = await requireTeam(sql, options.team);
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

  subcommand(
    product,
    'export',
    'Prints all products in the shape of the product lookup; product import takes the output.',
    'product export --team team_… > products.json',
  )
    .requiredOption('--team <id>', 'the team')
    .action(
      withDatabase<{ team: string }>(io, async ({ sql }, options) => {
        const team = await requireTeam(sql, options.team);
        const products = (await listProducts(sql, team.id)).map((row) => JSON.parse(row.body).data);
        return { json: products, text: JSON.stringify(products, null, 2) };
      }),
    );
}

function parse(file: string, text: string) {
  let data: unknown;
  try {
    data = parseExactJson(text);
  } catch (error) {
    throw new UsageError(`${file} is not valid JSON: ${(error as Error).message}`);
  }
  const parsed = productFileSchema.safeParse(Array.isArray(data) ? data : [data]);
  if (parsed.success) return parsed.data;
  const { issues } = describeIssues(parsed.error);
  const more = issues.length > 1 ? ` (and ${issues.length - 1} more)` : '';
  throw new UsageError(`Nothing was imported: ${issues[0]!.path} ${issues[0]!.message}${more}.`);
}
