import { type AskAllTeams, askTogether, type OfTeams, type RowsOfTeams } from '../../database/askAllTeams.js';
import type { Sql } from '../../database/connection/connect.js';
import { isLocked, isUnavailable } from '../../database/failures.js';
import type { Uuid } from '../../values/ids.js';
import { isDistributed } from './distributedTables.js';

/**
 * Least pause before a node that did not answer is asked again. The pause is also at least three times as long as this server
 * waited for the answer.
 */
const restMs = 5_000;
const restOfWait = 3;

/** A node that did not answer. */
interface Away {
  untilMs: number;
  fault: unknown;
}

/** The functions that ask all teams of a cluster. */
export interface AskNodes {
  askAllTeams: AskAllTeams;
  /** Counts the nodes that did not answer the last time. */
  countAway: () => number;
}

/**
 * Creates the functions that ask all nodes of a Citus cluster. While every node answers, one statement asks all of them. Otherwise
 * one statement follows the other, each for the teams of one node.
 *
 * A dead node refuses immediately. A node that hangs is waited for until the statement's limit, so it is left alone for longer.
 * @param sql finds the nodes
 * @param noteFault called with the fault of each node
 */
export function createAskNodes(sql: Sql, noteFault: (error: unknown) => void): AskNodes {
  const away = new Map<string, Away>();
  return { askAllTeams, countAway: () => away.size };

  async function askAllTeams<Row>(statement: Statement<Row>): Promise<RowsOfTeams<Row>> {
    if (away.size > 0) return askEach(statement);
    try {
      return await askTogether(statement);
    } catch (error) {
      if (mayBeOfNode(error) && (await isDistributed(sql).catch(() => false))) return askEach(statement);
      throw error;
    }
  }

  async function askEach<Row>(statement: Statement<Row>): Promise<RowsOfTeams<Row>> {
    const nodes = await listNodes(sql);
    const rows: Row[] = [];
    let answered = 0;
    for (const { node, teams } of nodes) {
      const startMs = performance.now();
      if (startMs < (away.get(node)?.untilMs ?? 0)) continue;
      try {
        rows.push(...(await statement(ofThese(teams))));
        away.delete(node);
        answered++;
      } catch (fault) {
        if (!mayBeOfNode(fault)) throw fault;
        noteFault(fault);
        const endMs = performance.now();
        away.set(node, { untilMs: endMs + Math.max(restMs, restOfWait * (endMs - startMs)), fault });
      }
    }
    for (const node of away.keys()) if (!nodes.some((each) => each.node === node)) away.delete(node);
    const [first] = away.values();
    if (first && answered === 0) {
      // If no node answers, waiting helps nobody: the caller asks again at its own pace.
      for (const each of away.values()) each.untilMs = 0;
      throw first.fault;
    }
    const missing = nodes.flatMap(({ node, teams }) => (away.has(node) ? teams : []));
    return { rows, missing };
  }
}

/** @returns true if an error may be the fault of one node. A lock for which the coordinator waits concerns all nodes. */
const mayBeOfNode = (error: unknown) => isUnavailable(error) && !isLocked(error);

type Statement<Row> = (ofTeams: OfTeams) => PromiseLike<readonly Row[]>;

/**
 * Makes the condition that a row belongs to one of these teams. It contains their ids, not a subquery, so that Citus asks only
 * their nodes.
 */
const ofThese =
  (teams: readonly Uuid[]): OfTeams =>
  (sql, column) =>
    sql`${sql(column)} = any(${`{${teams.join()}}`}::uuid[])`;

/** Lists the nodes that have teams. Asks only the coordinator. */
function listNodes(sql: Sql) {
  return sql<{ node: string; teams: Uuid[] }[]>`/* listNodes */
    select nodename || ':' || nodeport as node, json_agg(team.id) as teams
    from team
      join pg_dist_placement on shardid = get_shard_id_for_distribution_column('placed_order', team.id)
      join pg_dist_node using (groupid)
    where noderole = 'primary'
    group by 1`;
}
