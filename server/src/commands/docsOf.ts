/** Documents that explain the problems of a check, by the check's name: addresses below `/docs`. */
export const documents: Record<string, string> = {
  database: 'settings',
  migrations: 'upgrading#who-changes-the-schema',
  connections: 'database-settings#what-can-go-wrong',
  clock: 'several-servers',
  disk: 'capacity',
  'public URL': 'proxy',
  TLS: 'proxy',
  proxies: 'proxy',
  keys: 'errors#invalid_api_key',
  domains: 'errors#domain_not_allowed',
  host: 'errors#domain_not_allowed',
  tag: 'sdk/tag',
  order: 'sdk/debugging',
  script: 'sdk/debugging',
  endpoint: 'recipes/own-host',
  page: 'sdk/debugging',
  policy: 'sdk/debugging',
};

/** Lists the page about a check's problem on the server with this public URL; nothing where the URL is not known. */
export function docsOf(check: string, publicUrl: string | null): string[] {
  const document = documents[check];
  return publicUrl === null || document === undefined ? [] : [`${publicUrl}/docs/${document}`];
}
