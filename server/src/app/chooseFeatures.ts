import type { Config } from '../config.js';
import type { Feature } from '../host/host.js';
import { ConfigError } from '../values/errors.js';
import { features } from './features.js';

/**
 * Chooses the features that the settings name, in the order of the list; default: all.
 * @throws ConfigError for an unknown name
 */
export function chooseFeatures({ features: named }: Pick<Config, 'features'>): readonly Feature[] {
  const names = features.map(({ name }) => name);
  const unknown = named?.find((name) => !names.includes(name));
  if (unknown !== undefined)
    throw new ConfigError(
      `ORDERBEACON_FEATURES names "${unknown}", but may name only: none, ${names.join(', ')}.`,
    );
  return features.filter(({ name }) => named === null || named.includes(name));
}
