/** Divides a shell text into commands, each as its words. Commands are on several lines, or have `&&` between them. */
export function simpleCommands(code: string): string[][] {
  return code
    .replaceAll('\\\n', ' ')
    .split(/\n|&&/)
    .map((line) => line.replace(/(?:^|\s)#.*$/, '').trim())
    .filter((line) => line !== '')
    .map(wordsOf);
}

/** Divides a command line into words without their quotes. Variables stay as they are. */
export function wordsOf(line: string): string[] {
  const words = line.match(/(?:"[^"]*"|'[^']*'|\\.|[^\s"'\\])+/g) ?? [];
  return words.map((word) => word.replace(/"([^"]*)"|'([^']*)'/g, '$1$2'));
}
