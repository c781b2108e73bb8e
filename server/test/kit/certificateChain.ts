import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from './temporaryFolder.js';

const newKey = '-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 90';

/**
 * Makes a root authority, an intermediate one that it signs, and a certificate for `localhost` that the latter signs. The folder
 * has them under certbot's names: `privkey.pem`, `cert.pem`, and `fullchain.pem`. Clients have to know `root.pem`.
 */
export function makeChain(): { folder: string; root: string; rootFile: string } {
  const folder = temporaryFolder();
  const make = (name: string, key: string, more: string) =>
    execFileSync('openssl', `req -x509 ${newKey} -keyout ${key} -out ${name} ${more}`.split(' '), {
      cwd: folder,
      stdio: 'ignore',
    });
  make('root.pem', 'root.key', '-subj /CN=root');
  make('between.pem', 'between.key', '-CA root.pem -CAkey root.key -subj /CN=between');
  make(
    'cert.pem',
    'privkey.pem',
    '-CA between.pem -CAkey between.key -subj /CN=localhost -addext subjectAltName=DNS:localhost -addext basicConstraints=critical,CA:FALSE',
  );
  const read = (name: string) => readFileSync(join(folder, name), 'utf8');
  writeFileSync(join(folder, 'fullchain.pem'), read('cert.pem') + read('between.pem'));
  return { folder, root: read('root.pem'), rootFile: join(folder, 'root.pem') };
}
