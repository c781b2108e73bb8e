import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Starts PostgreSQL as the official image does, as far as `compose.yaml` needs it. */
const postgresEntry = `#!/bin/sh
set -e
export PATH=$PATH:$(ls -d /usr/lib/postgresql/*/bin) PGDATA=/var/lib/postgresql/data
if [ ! -s $PGDATA/PG_VERSION ]; then
  install -d -o postgres -m 700 $PGDATA
  echo "$POSTGRES_PASSWORD" > /tmp/password
  chmod 644 /tmp/password
  setpriv --reuid postgres --regid postgres --init-groups initdb -U "$POSTGRES_USER" --pwfile /tmp/password --auth-host scram-sha-256 > /dev/null
  rm /tmp/password
  echo 'host all all all scram-sha-256' >> $PGDATA/pg_hba.conf
  setpriv --reuid postgres --regid postgres --init-groups postgres --single -D $PGDATA postgres > /dev/null <<END
create database "$POSTGRES_DB"
END
fi
exec setpriv --reuid postgres --regid postgres --init-groups postgres -c listen_addresses='*' -c unix_socket_directories=/tmp
`;

/**
 * Builds images from Debian's packages and this machine's Node, under the names of the official ones, for machines that
 * reach no image registry. Needs mmdebstrap.
 * @param {string} folder where they are made
 * @param {{ node: string, postgres: string }} names of the official images
 * @param {(context: string, name: string) => void} build called with a folder that holds a Dockerfile, and the name
 */
export function makeStandInBases(folder, names, build) {
  const base = join(folder, 'base.tar');
  if (!existsSync(base)) {
    execFileSync('mmdebstrap', [
      '--variant=minbase',
      '--include=ca-certificates,libstdc++6',
      'bookworm',
      base,
    ]);
  }
  const node = join(folder, 'node');
  mkdirSync(node, { recursive: true });
  cpSync(base, join(node, 'base.tar'));
  cpSync(process.execPath, join(node, 'node'));
  const npm = execFileSync('sh', ['-c', 'command -v npm'], { encoding: 'utf8' }).trim();
  rmSync(join(node, 'npm'), { recursive: true, force: true });
  cpSync(dirname(dirname(realpathSync(npm))), join(node, 'npm'), { recursive: true, verbatimSymlinks: true });
  writeFileSync(
    join(node, 'Dockerfile'),
    `FROM scratch
ADD base.tar /
COPY node /usr/local/bin/node
COPY npm /usr/local/lib/node_modules/npm
RUN ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm && useradd --uid 1000 --create-home node
`,
  );
  build(node, names.node);

  const postgres = join(folder, 'postgres');
  mkdirSync(postgres, { recursive: true });
  writeFileSync(join(postgres, 'entry.sh'), postgresEntry);
  chmodSync(join(postgres, 'entry.sh'), 0o755);
  writeFileSync(
    join(postgres, 'Dockerfile'),
    `FROM ${names.node}
RUN apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends postgresql > /dev/null
ENV PATH=/usr/local/bin:/usr/bin:/bin:/usr/lib/postgresql/15/bin PGHOST=/tmp
COPY entry.sh /entry.sh
ENTRYPOINT ["/entry.sh"]
`,
  );
  build(postgres, names.postgres);
}
