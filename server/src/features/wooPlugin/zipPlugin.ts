import { readFileSync } from 'node:fs';
import { strToU8, zipSync } from 'fflate';
import { stub } from '../../core/script/tag.js';
import { once } from '../../values/once.js';
import { ownPath } from '../../values/ownPath.js';
import { version } from '../../values/version.js';

/** The values of a team in its plugin. */
export interface PluginValues {
  /** The server's public URL, without a slash at its end. */
  publicUrl: string;
  /** `team_…` */
  teamId: string;
  /** URL of the source, which the webhook calls. */
  sourceUrl: string;
  /** The secret with which the webhook is signed. */
  secret: string;
  /** Prefix of the source's order ids. */
  orderIdPrefix: string;
}

/** The PHP file, with a gap `'{{name}}'` for each value. */
const template = once(() => readFileSync(ownPath('features/wooPlugin/orderbeacon.php'), 'utf8'));

/** Makes the zip that WordPress accepts as a plugin: one folder with one PHP file, which contains the values. */
export function zipPlugin(values: PluginValues): Uint8Array<ArrayBuffer> {
  // WordPress offers to replace a plugin in a folder of the same name.
  return zipSync({ 'orderbeacon/orderbeacon.php': strToU8(fillPlugin(values)) });
}

/** Writes the values into the PHP file. */
export function fillPlugin({ publicUrl, teamId, sourceUrl, secret, orderIdPrefix }: PluginValues): string {
  const texts: Record<string, string> = {
    url: publicUrl,
    team: teamId,
    source: sourceUrl,
    secret,
    prefix: orderIdPrefix,
    stub: stub(),
  };
  return template()
    .replace('{{version}}', version)
    .replace(/'\{\{(\w+)\}\}'/g, (_, name) => quotePhp(texts[name]!));
}

/** Writes a text as a string of PHP in single quotes, in which only the quote and the backslash are special. */
function quotePhp(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&')}'`;
}
