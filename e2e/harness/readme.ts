import { readFileSync } from 'node:fs';

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');

/** The code block of the README that stands under `<!-- example: name -->`. */
export function readmeExample(name: string): string {
  const block = new RegExp(`<!-- example: ${name} -->\\n\`\`\`\\w+\\n([\\s\\S]*?)\\n\`\`\``).exec(readme);
  if (!block) throw new Error(`The README has no example "${name}".`);
  return block[1]!;
}
