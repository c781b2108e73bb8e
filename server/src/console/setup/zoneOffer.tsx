import { useConsole } from '../context.js';
import { Action } from '../parts/form.js';
import { Notice } from '../parts/panel.js';

/** The zone of a team whose zone nobody has chosen. */
export const unchosenZone = 'UTC';

/** Offers the browser's time zone to a team without one of its own. The script writes it in, and shows the offer. */
export function ZoneOffer() {
  const { session } = useConsole();
  if (session.isReadOnly || session.zone !== unchosenZone) return null;
  return (
    <div id="zone" hidden>
      <Notice
        tone="warn"
        actions={
          <Action to="/setup/zone" fields={{ zone: '' }}>
            Use <span></span>
          </Action>
        }
      >
        Days begin at midnight in UTC. If your shop is where you are, use your time zone.
      </Notice>
    </div>
  );
}
