import type { Sql } from '../database/connection/connect.js';
import { findSecret } from '../database/installation.js';
import { inTransaction } from '../database/inTransaction.js';
import { addPeople } from '../people/sql/person.js';
import { createSequence, listSequences } from '../people/sql/sequence.js';
import { importProducts } from '../products/importProducts.js';
import { productSchema } from '../products/productSchema.js';
import { requireSilentKey } from '../teams/issueKey.js';
import { lockDemo } from '../teams/sql/demoTeam.js';
import { decodeId, personUuid, type Uuid } from '../values/ids.js';
import { exampleEmail, exampleProduct, exampleSequenceId } from './openapi/examples.js';
import { storeSamples } from './storeSamples.js';

/**
 * Stores the product, the person and the sequence that the examples of `/docs` use, and a month of sample orders, once. The
 * sequence is stored with the samples and marks all as done, so that a later start does not undo changes or erasures.
 */
export async function stockDemoTeam(sql: Sql, teamId: Uuid): Promise<void> {
  if (await isStocked(sql, teamId)) return;
  await importProducts(sql, teamId, [productSchema.parse(exampleProduct)]);
  const secret = await findSecret(sql);
  const id = personUuid(secret, teamId, exampleEmail);
  await addPeople(sql, teamId, [{ id, email: exampleEmail, name: 'Ann Example' }]);
  const keyHash = await requireSilentKey(sql, teamId, 'test', secret);
  await inTransaction(sql, async (tx) => {
    // Two servers may start concurrently.
    await lockDemo(tx);
    if (await isStocked(tx, teamId)) return;
    await storeSamples(tx, { teamId, secret, keyHash });
    await createSequence(tx, teamId, { id: decodeId('seq', exampleSequenceId)!, name: 'Welcome' });
  });
}

async function isStocked(sql: Sql, teamId: Uuid): Promise<boolean> {
  const sequences = await listSequences(sql, teamId);
  return sequences.some(({ id }) => id === decodeId('seq', exampleSequenceId));
}
