import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** A certificate with its key, in PEM. */
export interface KeyPair {
  key: string;
  cert: string;
}

const config = `[ca]
default_ca = authority
[authority]
database = index.txt
new_certs_dir = .
rand_serial = yes
unique_subject = no
default_md = sha256
copy_extensions = copy
policy = policy
[policy]
commonName = supplied
`;
const newKey = '-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes';

/**
 * Makes an authority, and certificates that it signs.
 * @param hosts host, first and last moment of each certificate, the moments as `20200101000000Z`
 */
export async function makeCertificates<Name extends string>(
  hosts: Record<Name, [host: string, from: string, to: string]>,
): Promise<{ authority: KeyPair; issued: Record<Name, KeyPair> }> {
  const cwd = await mkdtemp(join(tmpdir(), 'orderbeacon-test-'));
  const openssl = (line: string) => promisify(execFile)('openssl', line.split(' '), { cwd });
  const read = async (name: string) => ({
    key: await readFile(join(cwd, `${name}.key`), 'utf8'),
    cert: await readFile(join(cwd, `${name}.pem`), 'utf8'),
  });
  await writeFile(join(cwd, 'ca.cnf'), config);
  await writeFile(join(cwd, 'index.txt'), '');
  await openssl(`req -x509 ${newKey} -days 90 -subj /CN=authority -keyout ca.key -out ca.pem`);
  const issued: Partial<Record<Name, KeyPair>> = {};
  for (const name of Object.keys(hosts) as Name[]) {
    const [host, from, to] = hosts[name];
    await openssl(
      `req -new ${newKey} -subj /CN=${host} -addext subjectAltName=DNS:${host} -keyout ${name}.key -out ${name}.csr`,
    );
    const dates = `-startdate ${from} -enddate ${to}`;
    await openssl(
      `ca -batch -notext -config ca.cnf -cert ca.pem -keyfile ca.key ${dates} -in ${name}.csr -out ${name}.pem`,
    );
    issued[name] = await read(name);
  }
  const authority = await read('ca');
  await rm(cwd, { recursive: true });
  return { authority, issued: issued as Record<Name, KeyPair> };
}
