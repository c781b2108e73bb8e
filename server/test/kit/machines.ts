import type { Sql } from '../../src/database/connection/connect.js';

/** Runs statements in each of these databases, one database after the other. Each gets a new connection. */
export async function onEach(urls: string[], run: (sql: Sql) => PromiseLike<unknown>): Promise<void> {
  const { connect } = await import('../../src/database/connection/connect.js');
  for (const url of urls) {
    const sql = connect(url, 1);
    try {
      await run(sql);
    } finally {
      await sql.end();
    }
  }
}

/** Joins the databases of several machines to a cluster. The coordinator comes first. */
export async function joinMachines([coordinator, ...workers]: string[]): Promise<void> {
  await onEach([coordinator!, ...workers], (sql) => sql`create extension citus`);
  await onEach([coordinator!], async (sql) => {
    const { hostname, port } = new URL(coordinator!);
    await sql`select citus_set_coordinator_host(${hostname}, ${Number(port)})`;
    for (const worker of workers) {
      const { hostname, port } = new URL(worker);
      await sql`select citus_add_node(${hostname}, ${Number(port)})`;
    }
  });
}
