import type { Sql } from '../../../database/connection/connect.js';
import type { Uuid } from '../../../values/ids.js';
import { identifiersAtMost } from './joinVersions.js';
import { objectsOfOrder } from './objectsOfOrder.js';
import { loadNeighbours, type Neighbours, type Wanted } from './sql/loadNeighbours.js';
import { type Identifier, identifierText, type StatedObject } from './statement.js';

/** Rounds in which identifiers may lead to further orders. Two were enough in 940,000 histories. */
export const roundsAtMost = 6;

/** Orders and statements that identifiers reach. */
export interface Loaded {
  neighbours: Neighbours;
  /** The identifiers that the search began with, and those that it reached. */
  names: readonly Identifier[];
}

/** Loads all orders and statements that identifiers reach, round by round. */
export async function loadAll(sql: Sql, teamId: Uuid, isTest: boolean, first: Wanted): Promise<Loaded> {
  let wanted = first;
  for (let round = 1; ; round++) {
    const neighbours = await loadNeighbours(sql, teamId, isTest, wanted);
    const known = new Set(wanted.names.map(identifierText));
    const reached = identifiersIn(neighbours).filter((name) => !known.has(identifierText(name)));
    const all = [...wanted.names, ...reached];
    if (reached.length === 0 || round === roundsAtMost || all.length > roundsAtMost * identifiersAtMost)
      return { neighbours, names: all };
    wanted = { ...wanted, names: all };
  }
}

function identifiersIn({ orders, statements }: Neighbours): Identifier[] {
  const inTable = new Set(statements.map(({ orderId }) => orderId));
  const ofRows = orders.filter(({ id }) => !inTable.has(id)).flatMap(objectsOfOrder);
  return [...statements.map(({ stated }) => stated), ...ofRows].flatMap(({ names }: StatedObject) => names);
}
