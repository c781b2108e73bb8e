import type { Feature } from '../feature.js';
import { addBackupCommands } from './commands.js';
import { addBackupGauge } from './lastBackup.js';

/** Writes all data into one file, and restores it. */
export const backup: Feature = {
  name: 'backup',
  commands: (program, { io, distribution }) =>
    addBackupCommands(program, io, async (sql) => (await distribution?.isDistributed(sql)) ?? false),
  make: () => ({
    start({ pools, registry }) {
      addBackupGauge(pools.watch, registry);
      return {};
    },
  }),
};
