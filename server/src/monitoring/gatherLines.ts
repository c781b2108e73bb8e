/** Output of text, such as pino's destination. */
export interface TextOutput {
  write(text: string): unknown;
  /** Starts to send all that was written. */
  flush(): void;
  /** Returns when all that was written has left the process. */
  flushSync(): void;
}

/**
 * Gathers lines in front of an output and writes them as one text: once they have `charactersAtMost`, at the latest
 * `waitMs` after the first of them, and on `flushSync`. pino's own buffer measures all that it holds again with each line,
 * which allocated 2 kB per order with a buffer of 4 kB, a twentieth of an order's total.
 */
export function gatherLines(
  output: TextOutput,
  { charactersAtMost, waitMs }: { charactersAtMost: number; waitMs: number },
): TextOutput {
  let lines: string[] = [];
  let characters = 0;
  let timer: NodeJS.Timeout | undefined;

  const writeAll = () => {
    // Left running, the timers of full texts would write the next lines early, and each such write would start another.
    clearTimeout(timer);
    const text = lines.join('');
    lines = [];
    characters = 0;
    output.write(text);
  };
  const flush = () => {
    // A flush of nothing would keep an ending process alive for ever.
    if (lines.length === 0) return;
    writeAll();
    output.flush();
  };
  return {
    write(line) {
      if (lines.length === 0) timer = setTimeout(flush, waitMs).unref();
      lines.push(line);
      characters += line.length;
      if (characters >= charactersAtMost) flush();
    },
    flush,
    flushSync() {
      if (lines.length > 0) writeAll();
      output.flushSync();
    },
  };
}
