import { readSettingsFile, type SettingName, settingNames } from '../config.js';
import { nearest } from '../values/nearest.js';

function isSettingName(text: string): text is SettingName {
  return (settingNames as readonly string[]).includes(text);
}

/** True for a variable of the tests, and for those that Kubernetes makes of a service with the name `orderbeacon`. */
function isOfOthers(name: string, value = ''): boolean {
  return (
    /^ORDERBEACON_(?:TEST|SERVICE|PORT)_/.test(name) || (name === 'ORDERBEACON_PORT' && /^tcp:/.test(value))
  );
}

/**
 * Finds settings that are probably misspelt, in the environment and in the file of `ORDERBEACON_ENV_FILE`: names that begin
 * with `ORDERBEACON_` and are none, and names like `DATABASE_URI`. Each line names the setting that may be meant.
 */
export function findMisspelt(env: Record<string, string | undefined>): string[] {
  const path = env.ORDERBEACON_ENV_FILE?.trim();
  const inFile = path ? [...readSettingsFile(path).keys()] : [];
  return [...new Set([...Object.keys(env), ...inFile])]
    .filter((name) => !isSettingName(name) && !isOfOthers(name, env[name]))
    .flatMap((name) => {
      const spelt = name.toUpperCase().replaceAll('-', '_');
      const bare = spelt.replace('ORDERBEACON_', '');
      const meant = isSettingName(bare) ? bare : nearest(spelt, settingNames);
      if (!meant && !name.startsWith('ORDERBEACON_')) return [];
      return `${name} is no setting and is ignored.${meant ? ` Did you mean ${meant}?` : ' See the settings in guides/settings.md.'}`;
    });
}
