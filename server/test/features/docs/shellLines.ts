/** The simple commands of a shell text, each as its words: one a line, or several with `&&` between them. */
export function simpleCommands(code: string): string[][] {
  return code
    .replaceAll('\\\n', ' ')
    .split(/\n|&&/)
    .map((line) => line.replace(/(?:^|\s)#.*$/, '').trim())
    .filter((line) => line !== '')
    .map(wordsOf);
}

/** The words of a command line, without their quotes. Variables stay as they are. */
export function wordsOf(line: string): string[] {
  const words = line.match(/(?:"[^"]*"|'[^']*'|\\.|[^\s"'\\])+/g) ?? [];
  return words.map((word) => word.replace(/"([^"]*)"|'([^']*)'/g, '$1$2'));
}
