import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { confirmationHtml, scriptHtml, type TagParts } from '../../core/script/tag.js';
import { once } from '../../values/once.js';

/** Names of the platforms for which the tag is offered, in the order of the choice. */
export const platforms = {
  html: 'Plain HTML',
  woocommerce: 'WooCommerce',
  shopify: 'Shopify',
  'tag-manager': 'Tag Manager',
} as const;

/** Value of a platform in addresses. It is also the name of its recipe. */
export type Platform = keyof typeof platforms;

/** The two pieces of the tag, with the team's own values. */
interface TagPieces {
  /** The piece for every page. */
  everyPage: string;
  /** The call of `track()`, for the confirmation page; null if the shop system reports orders itself. */
  confirmation: string | null;
}

/** Returns the pieces of a platform. They come from its recipe (`sdk/recipes`), except for plain HTML. */
export function platformTag(
  platform: Platform,
  parts: Pick<TagParts, 'publicUrl' | 'teamId' | 'currency'>,
): TagPieces {
  // Plain HTML has its values already. They may look like the placeholders of the recipes.
  if (platform === 'html') return piecesOf(platform, parts);
  const filled = (text: string) =>
    text.replaceAll('https://orders.shop.example', parts.publicUrl).replaceAll('team_…', parts.teamId);
  const { everyPage, confirmation } = piecesOf(platform, parts);
  return { everyPage: filled(everyPage), confirmation: confirmation && filled(confirmation) };
}

function piecesOf(platform: Platform, parts: Pick<TagParts, 'publicUrl' | 'teamId' | 'currency'>): TagPieces {
  const example = examples();
  switch (platform) {
    case 'html':
      return { everyPage: scriptHtml(parts), confirmation: confirmationHtml(parts.currency ?? undefined) };
    case 'woocommerce':
      return example.woocommerce;
    case 'shopify':
      return { everyPage: example.theme, confirmation: null };
    case 'tag-manager':
      return { everyPage: example.tagManager, confirmation: example.purchase };
  }
}

const examples = once(() => {
  const [head = '', ...thankYou] = exampleOf('woocommerce', 'hook').split(/\n\n(?=add_action)/);
  return {
    woocommerce: {
      everyPage: head,
      confirmation: [...thankYou, exampleOf('woocommerce', 'visitor')].join('\n\n'),
    },
    theme: exampleOf('shopify', 'theme'),
    tagManager: exampleOf('tag-manager', 'every-page'),
    purchase: exampleOf('tag-manager', 'tag'),
  };
});

/** Reads the code block of a recipe under `<!-- example: name -->`. */
function exampleOf(recipe: string, name: string): string {
  const script = import.meta.resolve('@orderbeacon/sdk/stub.js');
  const text = readFileSync(fileURLToPath(new URL(`../recipes/${recipe}.md`, script)), 'utf8');
  const start = text.indexOf(`<!-- example: ${name} -->`);
  const [, code] = /```\w+\n([\s\S]*?)\n```/.exec(start < 0 ? '' : text.slice(start)) ?? [];
  if (code === undefined) throw new Error(`The recipe ${recipe} has no example "${name}".`);
  return code;
}
