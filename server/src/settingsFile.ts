import { readFileSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { ConfigError } from './values/configError.js';

/** A path that stands in the file would otherwise mean another folder in each working directory. */
const paths = ['ORDERBEACON_DATA_DIR'];

/**
 * Reads a file of settings: a line `KEY=value` each, the value as it stands or in quotes; empty lines, and lines that
 * begin with `#` or `;`. systemd reads the same file as `EnvironmentFile`. Throws `ConfigError` naming file and line, and
 * never a value, which may be a password.
 */
export function readSettingsFile(path: string): Map<string, string> {
  const settings = new Map<string, string>();
  for (const [index, line] of readText(path).split(/\r?\n/).entries()) {
    const text = line.trim();
    if (text === '' || text.startsWith('#') || text.startsWith(';')) continue;
    const [, name, value] = /^([A-Za-z_]\w*)=(.*)$/.exec(text) ?? [];
    const unquoted = value === undefined ? undefined : unquote(value.trim());
    if (name === undefined || unquoted === undefined) {
      throw new ConfigError(`${path}, line ${index + 1}, must be like PORT=8787, with both quotes or none.`);
    }
    if (paths.includes(name) && unquoted !== '' && !isAbsolute(unquoted)) {
      throw new ConfigError(`${name} in ${path} must be a whole path, which begins with /.`);
    }
    settings.set(name, unquoted);
  }
  return settings;
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8').replace(/^\uFEFF/, '');
  } catch (error) {
    throw new ConfigError(
      `ORDERBEACON_ENV_FILE is "${path}", which cannot be read: ${(error as NodeJS.ErrnoException).code}.`,
    );
  }
}

/** The text without its quotes; undefined where one of the two is missing. */
function unquote(text: string): string | undefined {
  const quote = text[0];
  if (quote !== '"' && quote !== "'") return text;
  return text.length > 1 && text.endsWith(quote) ? text.slice(1, -1) : undefined;
}
