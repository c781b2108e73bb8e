import { readFileSync } from 'node:fs';

/** Returns the code block of the README under `<!-- example: name -->`. */
export const readmeExample = (name: string): string => exampleOf('README.md', name);

/** Returns the code block of `sdk/recipes/<recipe>.md` under `<!-- example: name -->`. */
export const recipeExample = (recipe: string, name: string): string =>
  exampleOf(`sdk/recipes/${recipe}.md`, name);

/** Returns the code block under `<!-- example: name -->` in a document, by its path in the repository. */
export function exampleOf(path: string, name: string): string {
  const text = readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
  const block = new RegExp(`<!-- example: ${name} -->\\n\`\`\`\\w+\\n([\\s\\S]*?)\\n\`\`\``).exec(text);
  if (!block) throw new Error(`${path} has no example "${name}".`);
  return block[1]!;
}
