import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '../browsers/freePort.ts';

/** The shop's own web server, of the kinds that the recipe supports. */
export type WebServer = 'nginx' | 'caddy';

const executables: Record<WebServer, string> = { nginx: '/usr/sbin/nginx', caddy: '/usr/bin/caddy' };

/** @returns true if this web server can be tested here; on CI a missing one is a failure */
export const canRun = (server: WebServer): boolean =>
  existsSync(executables[server]) || Boolean(process.env.CI);

/** Configurations around the recipe's snippet. They pass all other requests on to the shop. */
const configs: Record<WebServer, (port: number, snippet: string, shop: string, folder: string) => string> = {
  nginx: (port, snippet, shop, folder) => `
    daemon off;
    worker_processes 1;
    pid ${folder}/pid;
    error_log ${folder}/error.log;
    events {}
    http {
      access_log off;
      ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((kind) => `${kind}_temp_path ${folder}/${kind};`).join('\n')}
      server {
        listen 127.0.0.1:${port};
        ${snippet}
        location / { proxy_pass ${shop}; }
      }
    }`,
  caddy: (port, snippet, shop) => `
{
	admin off
	auto_https off
}
http://:${port} {
	bind 127.0.0.1
	${snippet}
	reverse_proxy ${shop}
}
`,
};

const commands: Record<WebServer, (folder: string) => string[]> = {
  nginx: (folder) => ['-p', folder, '-c', `${folder}/config`, '-e', `${folder}/error.log`],
  caddy: (folder) => ['run', '--config', `${folder}/config`, '--adapter', 'caddyfile'],
};

/**
 * Starts a web server on a free port of this machine.
 * @param snippet the recipe's part of its configuration
 * @param shop the URL of the shop's pages, which have all paths that the snippet does not take
 */
export async function startWebServer(
  kind: WebServer,
  snippet: string,
  shop: string,
): Promise<{ port: number; close(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), `orderbeacon-${kind}-`));
  const port = await freePort();
  await writeFile(join(folder, 'config'), configs[kind](port, snippet, shop, folder));
  const child = spawn(executables[kind], commands[kind](folder), {
    env: { PATH: process.env.PATH, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let complaint = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaint += text;
  });
  const ended = once(child, 'exit');
  const isUp = () =>
    new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => {
        socket.destroy();
        resolve(true);
      }).on('error', () => resolve(false));
    });
  while (!(await isUp())) {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`${kind} ended: ${complaint}`);
    await delay(20);
  }
  return {
    port,
    async close() {
      child.kill('SIGTERM');
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
