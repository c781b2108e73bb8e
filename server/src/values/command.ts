/**
 * The command as messages and help show it, relative to the folder of the installation. The bare name is in no `PATH`, and `npx`
 * could ask a registry.
 */
export const command = 'node_modules/.bin/orderbeacon';

/** The next step for a database without a shop. */
export const firstShop = `Make a shop, allow its domain, and get its HTML and a link to its console:
  ${command} team create --name "My shop" --domain shop.example --link`;
