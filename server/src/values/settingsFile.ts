import { readFileSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { parseEnv } from 'node:util';
import { ConfigError } from './errors.js';
import { withoutByteOrderMark } from './text.js';

/** Environment variables, or the settings of a file, by their names. */
export type Environment = Record<string, string | undefined>;

/**
 * Trims names and values, because Node 20 leaves the tabs of a file. An empty variable counts as missing, because Compose passes on
 * empty ones.
 */
export function trimSettings(settings: Environment): Record<string, string> {
  const given = Object.entries(settings).flatMap(([name, value]) => {
    const text = value?.trim();
    return text ? [[name.trim(), text] as const] : [];
  });
  return Object.fromEntries(given);
}

/**
 * Reads a file of settings with Node's own parser, as `process.loadEnvFile` does. Does not change the process's environment,
 * because the caller's may be another.
 * @throws ConfigError if the file cannot be read or has a wrong line
 */
export function readSettingsFile(path: string): Record<string, string> {
  const text = readText(path);
  // For a line without =, the parser of Node 20 joins the line with the next one to a name, and that of Node 24 ignores it.
  if (text.split('\n').some((line) => !/^\s*(?:#|(?:export +)?\w+\s*=|$)/.test(line)))
    throw new ConfigError(`Each line of ${path} must be like PORT=8787, or begin with #.`);
  const settings = trimSettings(parseEnv(text));
  const dataDir = settings.ORDERBEACON_DATA_DIR;
  // A relative path would mean another folder in each working directory.
  if (dataDir && !isAbsolute(dataDir))
    throw new ConfigError(`ORDERBEACON_DATA_DIR in ${path} must be a whole path, which begins with /.`);
  return settings;
}

function readText(path: string): string {
  try {
    return withoutByteOrderMark(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new ConfigError(
      `ORDERBEACON_ENV_FILE is "${path}", which cannot be read: ${(error as NodeJS.ErrnoException).code}.`,
    );
  }
}
