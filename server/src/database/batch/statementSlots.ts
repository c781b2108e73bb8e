import { createGroupCounts } from './groupCounts.js';

/** How many statements may be in flight at once. */
export interface SlotBounds {
  /** Statements in flight at once. */
  statementsInFlight: number;
  /** Statements in flight at once of one group, default 1. */
  statementsOfGroup?: number;
  /**
   * The machine on which a group's rows lie, where there is more than one and it is known. Statements of one machine
   * leave one of `statementsInFlight` to the others: a machine that does not answer holds no more. But they are at least
   * one more than those of one group, so that a group that hangs leaves one to the others of its machine.
   */
  machineOf?: (group: string) => number | undefined;
}

/** Makes what says whether one more statement of a group may set out. */
export function createStatementSlots({
  statementsInFlight,
  statementsOfGroup = 1,
  machineOf = () => undefined,
}: SlotBounds) {
  const ofGroup = createGroupCounts();
  const ofMachine = createGroupCounts();
  const statementsOfMachine = Math.max(statementsOfGroup + 1, statementsInFlight - 1);
  let taken = 0;

  const isMachineFull = (machine: number | undefined) =>
    machine !== undefined && ofMachine.of(`${machine}`) >= statementsOfMachine;
  const isAnyFree = () => taken < statementsInFlight;

  return {
    /** Statements in flight. */
    taken: () => taken,
    isAnyFree,
    isFree: (group: string) =>
      isAnyFree() && ofGroup.of(group) < statementsOfGroup && !isMachineFull(machineOf(group)),
    /** Takes a slot for a statement of a group. The function that it returns gives it back. */
    take(group: string): () => void {
      // A team may move meanwhile.
      const machine = machineOf(group);
      const change = (sign: 1 | -1) => {
        taken += sign;
        ofGroup.add(group, sign);
        if (machine !== undefined) ofMachine.add(`${machine}`, sign);
      };
      change(1);
      return () => change(-1);
    },
  };
}
