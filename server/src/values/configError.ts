/** A setting is wrong; the message is one line that names the variable and what it may be. */
export class ConfigError extends Error {
  override name = 'ConfigError';
}
