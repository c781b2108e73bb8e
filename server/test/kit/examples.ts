import { readFileSync } from 'node:fs';

/** Reads a document by its path in the repository. */
export function readDocument(path: string): string {
  return readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');
}

/** Returns the code block that follows `<!-- example: name -->` in a document. */
export function exampleOf(path: string, name: string): string {
  const block = new RegExp(`<!-- example: ${name} -->\\n\`\`\`\\w*\\n([\\s\\S]*?)\\n\`\`\``).exec(
    readDocument(path),
  );
  if (!block) throw new Error(`${path} has no example "${name}".`);
  return block[1]!;
}

/** Reads the PATH and the shell command of a crontab. Before the command are five times and a user, and in it `\%` is `%`. */
export function readCrontab(code: string): { path: string | undefined; command: string } {
  const [, path, command] = /^(?:PATH=(\S+)\n)?(?:[\d*/,-]+ ){5}\w+ (.+)$/.exec(code.trim()) ?? [];
  if (!command) throw new Error('is no line of a crontab');
  return { path, command: command.replaceAll('\\%', '%') };
}
