/**
 * The command as messages and help name it, from the folder where Orderbeacon is installed: the bare name is in no `PATH`,
 * and this one asks no registry.
 */
export const command = 'node_modules/.bin/orderbeacon';

/** The next step of a database without a shop. */
export const firstShop = `Make a shop, allow its domain, and get its HTML and a link to its console:
  ${command} team create --name "My shop" --domain shop.example --link`;
