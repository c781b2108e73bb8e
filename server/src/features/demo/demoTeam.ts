import { addPeople } from '../../core/people/sql/person.js';
import { createSequence, listSequences } from '../../core/people/sql/sequence.js';
import { hostOfUrl } from '../../core/teams/domains.js';
import { issueKey } from '../../core/teams/issueKey.js';
import { addDomain } from '../../core/teams/sql/domain.js';
import { createTeam, findDemoTeam } from '../../core/teams/sql/team.js';
import type { Sql } from '../../database/connection/connect.js';
import { findSecret } from '../../database/installation.js';
import { inTransaction } from '../../database/inTransaction.js';
import { exampleEmail, exampleProduct, exampleSequenceId } from '../../values/examples.js';
import { decodeId, encodeId, newUuid, personUuid, type Uuid } from '../../values/ids.js';
import { importProducts } from '../catalog/importProducts.js';
import { productSchema } from '../catalog/productSchema.js';
import { isDemoRemoved, lockDemo } from './sql/demoTeam.js';
import { storeSamples } from './storeSamples.js';

/** The demo team. */
export interface Demo {
  /** Id of the demo team, `team_…`. */
  teamId: string;
  /** Id of the demo team in the database. */
  uuid: Uuid;
  /** A test key; null unless this call created the team, because only the key's hash is stored. */
  apiKey: string | null;
}

/**
 * Creates the demo team if it is missing. Allows the hosts of this machine's server as its test domains, and stores the
 * data of the examples in `/docs`. If two servers start concurrently, a lock lets only one of them create the team. If
 * the demo was removed, creates nothing and returns null.
 */
export async function ensureDemoTeam(sql: Sql, publicUrl: string): Promise<Demo | null> {
  const demo = await inTransaction(sql, async (tx) => {
    await lockDemo(tx);
    if (await isDemoRemoved(tx)) return null;
    const known = await findDemoTeam(tx);
    return known ? { teamId: known.id, apiKey: null } : createDemoTeam(tx, publicUrl);
  });
  if (!demo) return null;
  const { teamId, apiKey } = demo;
  for (const entry of new Set(['localhost', '127.0.0.1', '[::1]', hostOfUrl(publicUrl) ?? 'localhost'])) {
    await addDomain(sql, teamId, { entry, isTest: true });
  }
  await stockDemoTeam(sql, teamId);
  return { teamId: encodeId('team', teamId), uuid: teamId, apiKey };
}

async function createDemoTeam(tx: Sql, storefrontUrl: string): Promise<{ teamId: Uuid; apiKey: string }> {
  const teamId = newUuid();
  await createTeam(tx, { id: teamId, name: 'Demo', storefrontUrl, isDemo: true });
  const { key } = await issueKey(tx, teamId, { mode: 'test', name: 'demo' });
  return { teamId, apiKey: key };
}

/**
 * Stores the product, person and sequence of the examples in `/docs`, and a month of sample orders, once. The sequence is stored
 * last, together with the orders. If it exists, a later start stores nothing, so that it does not undo changes or erasures.
 */
async function stockDemoTeam(sql: Sql, teamId: Uuid): Promise<void> {
  if (await isStocked(sql, teamId)) return;
  await importProducts(sql, teamId, [productSchema.parse(exampleProduct)]);
  const secret = await findSecret(sql);
  const id = personUuid(secret, teamId, exampleEmail);
  await addPeople(sql, teamId, [{ id, email: exampleEmail, name: 'Ann Example' }]);
  await inTransaction(sql, async (tx) => {
    // Two servers may start concurrently.
    await lockDemo(tx);
    if (await isStocked(tx, teamId)) return;
    await storeSamples(tx, teamId, secret);
    await createSequence(tx, teamId, { id: decodeId('seq', exampleSequenceId)!, name: 'Welcome' });
  });
}

async function isStocked(sql: Sql, teamId: Uuid): Promise<boolean> {
  const sequences = await listSequences(sql, teamId);
  return sequences.some(({ id }) => id === decodeId('seq', exampleSequenceId));
}
