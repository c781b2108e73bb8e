import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, copyFile, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { exampleOf } from './examples.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));
/** A URL at which nothing listens, so npm fails if it asks its registry. */
const closedUrl = 'http://127.0.0.1:9';

/** The packed packages, and two projects that have installed them. */
export interface Packages {
  /** The paths of the tarballs. */
  sdkTarball: string;
  serverTarball: string;
  /** A project with only the SDK's tarball, installed by the documented command without a network. */
  shop: string;
  /** A project with both tarballs unpacked, and with the server's dependencies of the repository. */
  host: string;
  close(): Promise<void>;
}

/** Packs what was built, and installs it into empty projects under the system's temporary folder. */
export async function installPackages(): Promise<Packages> {
  const folder = await mkdtemp(join(tmpdir(), 'orderbeacon-packages-'));
  await chmod(folder, 0o755);
  const tarballs = join(folder, 'tarballs');
  await run(process.execPath, [join(root, '.config/pack.js'), tarballs], { cwd: root });
  const names = await readdir(tarballs);
  const tarballOf = (name: string) => join(tarballs, names.find((found) => found.includes(`-${name}-`))!);
  const packages = {
    sdkTarball: tarballOf('sdk'),
    serverTarball: tarballOf('server'),
    shop: join(folder, 'shop'),
    host: join(folder, 'host'),
  };

  await mkdir(packages.shop);
  await writeFile(join(packages.shop, 'package.json'), '{ "private": true }');
  await copyFile(packages.sdkTarball, join(packages.shop, basename(packages.sdkTarball)));
  const alone = { npm_config_registry: closedUrl, npm_config_cache: join(folder, 'cache') };
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, npm_config_audit: 'false', ...alone };
  await run('sh', ['-c', exampleOf('sdk/guides/package.md', 'install')], { cwd: packages.shop, env });

  for (const [name, tarball] of [
    ['sdk', packages.sdkTarball],
    ['server', packages.serverTarball],
  ] as const) {
    const installed = join(packages.host, 'node_modules/@orderbeacon', name);
    await mkdir(installed, { recursive: true });
    await run('tar', ['-xzf', tarball, '-C', installed, '--strip-components', '1']);
  }
  await linkDependencies(packages.host);
  return { ...packages, close: () => rm(folder, { recursive: true, force: true }) };
}

async function linkDependencies(host: string): Promise<void> {
  const manifest = JSON.parse(
    await readFile(join(host, 'node_modules/@orderbeacon/server/package.json'), 'utf8'),
  );
  for (const name of Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies })) {
    const [link, target] = [join(host, 'node_modules', name), join(root, 'node_modules', name)];
    // The SDK is there already, and PostgreSQL for other systems was never installed.
    if (existsSync(link) || !existsSync(target)) continue;
    await mkdir(dirname(link), { recursive: true });
    await symlink(target, link, 'junction');
  }
}
