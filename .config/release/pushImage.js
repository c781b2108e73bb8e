/**
 * `node .config/release/pushImage.js FOLDER IMAGE TAG COMMIT`: builds the image of the tarballs in FOLDER for two
 * architectures, on a base that is named by its digest, pushes it with an SBOM and its provenance, and signs its digest.
 * Prints the image with its digest, and gives it to the workflow as the output `image`. Needs docker with buildx, logged in
 * to the registry, and cosign.
 */
import { execFileSync } from 'node:child_process';
import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const [folder, image, tag, commit] = process.argv.slice(2);
if (!folder || !image || !tag || !commit) throw new Error('Usage: pushImage.js FOLDER IMAGE TAG COMMIT');
const version = tag.replace(/^v/, '');
const dockerfile = new URL('../../server/Dockerfile', import.meta.url);
const [, base] = /^ARG NODE_IMAGE=(\S+)$/m.exec(readFileSync(dockerfile, 'utf8')) ?? [];
if (!base) throw new Error('The Dockerfile names no base.');

const inspect = ['buildx', 'imagetools', 'inspect', base, '--format', '{{.Manifest.Digest}}'];
const baseDigest = execFileSync('docker', inspect, { encoding: 'utf8' }).trim();
if (!/^sha256:[0-9a-f]{64}$/.test(baseDigest)) throw new Error(`${base} has no digest: ${baseDigest}`);

const result = join(folder, 'image.json');
execFileSync(
  'docker',
  [
    ...['buildx', 'build', '--platform', 'linux/amd64,linux/arm64'],
    ...['--build-arg', `NODE_IMAGE=${base}@${baseDigest}`],
    ...['--build-arg', `VERSION=${version}`, '--build-arg', `REVISION=${commit}`],
    ...['--sbom=true', '--provenance=mode=max'],
    ...['--tag', `${image}:${version}`, '--push', '--metadata-file', result],
    ...['--file', dockerfile.pathname, folder],
  ],
  { stdio: 'inherit' },
);
const { 'containerimage.digest': digest } = JSON.parse(readFileSync(result, 'utf8'));
execFileSync('cosign', ['sign', '--yes', `${image}@${digest}`], { stdio: 'inherit' });
const pushed = `${image}:${version}@${digest}`;
process.stdout.write(`${pushed}\n`);
if (process.env.GITHUB_OUTPUT) appendFileSync(process.env.GITHUB_OUTPUT, `image=${pushed}\n`);
