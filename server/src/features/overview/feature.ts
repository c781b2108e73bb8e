import { withTimeout } from '../../values/withTimeout.js';
import type { Feature } from '../feature.js';
import { addRecountCommand } from './commands.js';
import { createDayListener, createDayMarks } from './markDays.js';
import { overviewPart } from './overview.js';
import { startSummingDays, sumDays } from './sumDays.js';

/** Marks that are not made by then are lost with the process; the night's recount needs none. */
const marksMs = 1_000;

/** Adds up the orders of each day, by currency and by where they came from. */
export const overview: Feature = {
  name: 'overview',
  commands: (program, { io }) => addRecountCommand(program, io),
  team: { afterZone: sumDays },
  console: overviewPart,
  make({ sql, noteFault }) {
    const marks = createDayMarks(sql, (error) => noteFault('day_sums', error));
    return {
      listener: createDayListener(marks),
      start: ({ pools }) => ({
        work: [{ name: 'day_sums', start: (onFault) => startSummingDays(pools.background, onFault) }],
        stop: async () => void (await withTimeout(marksMs, marks.settled())),
      }),
    };
  },
};
