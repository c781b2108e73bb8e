import type { Feature } from '../../host/host.js';
import { addBackupCommands } from './commands.js';
import { addBackupGauge } from './lastBackup.js';

/** Writes all data into one file, and restores it. */
export const backup: Feature = {
  name: 'backup',
  install(host) {
    host.command(addBackupCommands);
    host.server(({ pools, registry }) => addBackupGauge(pools.watch, registry));
  },
};
