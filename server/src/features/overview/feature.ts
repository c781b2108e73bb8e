import type { Feature } from '../../host/host.js';
import { withTimeout } from '../../values/withTimeout.js';
import { addRecountCommand } from './commands.js';
import { createDayListener, createDayMarks } from './markDays.js';
import { addOverview } from './overview.js';
import { startSummingDays, sumDays } from './sumDays.js';

/**
 * Time that a stopping server has to write the waiting marks. Marks that are not written are lost, but the recount of the night
 * corrects their days.
 */
const marksMs = 1_000;

/** Sums the orders of each day by currency and by origin, and shows the sums. */
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
