import { useConsole } from '../../../console/context.js';
import { Action } from '../../../console/parts/form.js';
import { counted, formatSince, modeText } from '../../../console/parts/format.js';
import { Notice } from '../../../console/parts/panel.js';
import type { Press } from '../store/comparePress.js';
import { areNewField, fileFormId } from './compareForm.js';
import { Reasons } from './compareLists.js';
import { type StoredMissing, shownAtMost } from './shownComparison.js';

/** The outcome of storing missing orders. */
export function Stored({ stored, press, notStored, left, isHeld, isInDoubt }: StoredMissing) {
  const { viewer, link, isTest } = useConsole();
  const mode = modeText(isTest);
  const count = (number: number, one: string, many: string) =>
    number === 0 ? '' : `${counted(number, one, viewer, many)} `;
  const isAllDone = !isHeld && left === 0 && notStored.length === 0;
  return (
    <>
      <Notice
        role="status"
        tone={isAllDone ? 'good' : 'bad'}
        actions={
          <>
            {isInDoubt && (
              <button type="submit" form={fileFormId} formaction={link('/compare/store')} name={areNewField}>
                They are other orders: store them
              </button>
            )}
            {press && <Undo press={press} />}
          </>
        }
      >
        {isHeld && 'Nothing is stored yet, because no id of the file is known here, and other orders are. '}
        {count(stored, `${mode} order is stored.`, `${mode} orders are stored.`)}
        {count(notStored.length, 'was refused.', 'were refused.')}
        {!isHeld && count(left, 'is left: store again.', 'are left: store again.')}
        {stored > 0 && <a href={link('/orders')}>See your {mode} orders</a>}
      </Notice>
      <Reasons id="refused" title="Refused" list={notStored.slice(0, shownAtMost)} count={notStored.length} />
    </>
  );
}

/** Notices on the presses of the last day that have stored orders, each with the button that undoes it. */
export function Presses({ presses }: { presses: readonly Press[] }) {
  const { viewer, isTest } = useConsole();
  return (
    <>
      {presses.map((press) => (
        <Notice actions={<Undo press={press} />}>
          {counted(
            press.orders,
            `${modeText(isTest)} order of a file was`,
            viewer,
            `${modeText(isTest)} orders of a file were`,
          )}{' '}
          stored {formatSince(press.storedAt, viewer.now, viewer)}. You can take it back for a day.
        </Notice>
      ))}
    </>
  );
}

function Undo({ press: { id, orders } }: { press: Press }) {
  const { viewer, isTest } = useConsole();
  return (
    <Action
      to="/compare/undo"
      fields={{ press: id }}
      isSmall
      label={`Undo: take ${counted(orders, `stored ${modeText(isTest)} order`, viewer)} back`}
    >
      Undo
    </Action>
  );
}
