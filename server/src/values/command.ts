/**
 * The command as messages and help name it, from the folder where Orderbeacon is installed: the bare name is in no `PATH`,
 * and this one asks no registry.
 */
export const command = 'node_modules/.bin/orderbeacon';
