import type { Feature } from '../../host/host.js';
import { withTimeout } from '../../values/withTimeout.js';
import { addRecountCommand } from './commands.js';
import { createDayListener, createDayMarks } from './markDays.js';
import { addOverview } from './overview.js';
import { startSummingDays, sumDays } from './sumDays.js';

/** Marks that are not made by then are lost with the process; the night's recount needs none. */
const marksMs = 1_000;

/** Adds up the orders of each day, by currency and by where they came from. */
export const overview: Feature = {
  name: 'overview',
  install(host) {
    host.command(addRecountCommand);
    host.listen(({ sql, noteFault, every, onStop }) => {
      const marks = createDayMarks(sql, (error) => noteFault('day_sums', error));
      every('day_sums', (onFault) => startSummingDays(sql, onFault));
      onStop(() => withTimeout(marksMs, marks.settled()));
      return { ...createDayListener(marks), onZoneStored: sumDays };
    });
    addOverview(host.console);
  },
};
