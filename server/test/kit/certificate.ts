import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** Makes a key and a self-signed certificate for `localhost`, valid for 90 days. */
export async function makeCertificate(): Promise<{ key: string; cert: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'orderbeacon-test-'));
  const [keyFile, certFile] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const kind = '-x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 90 -subj /CN=localhost';
  const more = ['-addext', 'subjectAltName=DNS:localhost', '-keyout', keyFile, '-out', certFile];
  await promisify(execFile)('openssl', ['req', ...kind.split(' '), ...more]);
  const [key, cert] = await Promise.all([readFile(keyFile, 'utf8'), readFile(certFile, 'utf8')]);
  await rm(folder, { recursive: true });
  return { key, cert };
}
