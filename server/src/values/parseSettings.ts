import { ConfigError } from './errors.js';

/**
 * Parses a file of settings: a line `KEY=value` each, the value as it stands or in quotes; empty lines, and lines that
 * begin with `#` or `;`. systemd reads the same file as `EnvironmentFile`. Node's `util.parseEnv` would cut a value at a
 * `#`, which a password may hold, and would skip a wrong line.
 * @param path where the text comes from, for the error
 * @throws ConfigError naming file and line, and never a value, which may be a password
 */
export function parseSettings(text: string, path: string): Map<string, string> {
  const settings = new Map<string, string>();
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const trimmed = line.trim();
    if (trimmed === '' || trimmed.startsWith('#') || trimmed.startsWith(';')) continue;
    const [, name, value] = /^([A-Za-z_]\w*)=(.*)$/.exec(trimmed) ?? [];
    const unquoted = value === undefined ? undefined : unquote(value.trim());
    if (name === undefined || unquoted === undefined) {
      throw new ConfigError(`${path}, line ${index + 1}, must be like PORT=8787, with both quotes or none.`);
    }
    settings.set(name, unquoted);
  }
  return settings;
}

/** Takes off the quotes; undefined where one of the two is missing. */
function unquote(text: string): string | undefined {
  const quote = text[0];
  if (quote !== '"' && quote !== "'") return text;
  return text.length > 1 && text.endsWith(quote) ? text.slice(1, -1) : undefined;
}
