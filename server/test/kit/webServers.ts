import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { exampleOf } from './examples.js';
import { temporaryFolder } from './temporaryFolder.js';
import { untilListening } from './untilListening.js';

/** The web servers that the guides configure. */
export const webServers = ['nginx', 'caddy'] as const;
export type WebServer = (typeof webServers)[number];

const programs: Record<WebServer, string> = { nginx: '/usr/sbin/nginx', caddy: '/usr/bin/caddy' };

/** @returns true if the program is missing, so that its tests are skipped (Debian: apt-get install nginx-light caddy); on CI they fail */
export const isMissing = (name: WebServer): boolean =>
  process.env.CI !== 'true' && spawnSync(programs[name], ['-v']).error !== undefined;

/**
 * Starts a web server that ends with the test. Resolves when it listens.
 * @param config the content of nginx's `http`, or the sites of a Caddyfile
 */
export async function startWebServer(name: WebServer, config: string, ports: number[]): Promise<void> {
  const folder = temporaryFolder();
  const file = join(folder, 'config');
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (kind) => `${kind}_temp_path ${folder}/${kind};`,
  );
  const whole = {
    nginx: `daemon off; pid ${folder}/pid; error_log stderr; events {}\nhttp { access_log off; ${temporary.join(' ')}\n${config}\n}`,
    caddy: `{\n    admin off\n    auto_https disable_redirects\n}\n${config}`,
  };
  writeFileSync(file, whole[name]);
  const args = {
    nginx: ['-p', folder, '-c', file],
    caddy: ['run', '--adapter', 'caddyfile', '--config', file],
  };
  const env = { HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
  const child = spawn(programs[name], args[name], { env, stdio: 'ignore' });
  const ended = once(child, 'close');
  onTestFinished(async () => {
    child.kill('SIGTERM');
    await ended;
  });
  for (const port of ports) await untilListening(port);
}

/** Files, port and servers of a guide's proxy on this machine. */
interface ProxyAddress {
  /** Folder with the certificate's `fullchain.pem` and `privkey.pem`. */
  folder: string;
  port: number;
  /** Host and port of each server behind it. */
  targets: string[];
  /** Set if the shop's web server is in front of the proxy. */
  isBehindShop?: boolean;
}

/** Makes the configuration of the guides' proxy with TLS, for `https://localhost`. */
export const guideProxy: Record<WebServer, (place: ProxyAddress) => string> = {
  nginx({ folder, port, targets }) {
    const site = exampleOf('server/guides/proxy.md', 'nginx')
      .replace('listen 443', `listen 127.0.0.1:${port}`)
      .replace('orders.shop.example;', 'localhost;')
      .replaceAll('/etc/letsencrypt/live/orders.shop.example', folder);
    if (targets.length === 1) return site.replace('127.0.0.1:8787', targets[0]!);
    const several = 'server/guides/several-servers.md';
    const next = site.replace('proxy_pass http://127.0.0.1:8787;', exampleOf(several, 'nginx-next'));
    return `${withTargets(exampleOf(several, 'nginx-upstream'), targets)}\n${next}`;
  },
  caddy({ folder, port, targets, isBehindShop = false }) {
    const tls = `https://localhost:${port} {\n    tls ${folder}/fullchain.pem ${folder}/privkey.pem`;
    const site = exampleOf('server/guides/proxy.md', isBehindShop ? 'caddy-own-host' : 'caddy')
      .replace('orders.shop.example {', tls)
      .replace('203.0.113.7', '127.0.0.1');
    if (targets.length === 1) return site.replace('127.0.0.1:8787', targets[0]!);
    const several = exampleOf('server/guides/several-servers.md', 'caddy-several');
    const [, lines] = /^reverse_proxy [^{]+\{\n([\s\S]+)\n\}$/.exec(several)!;
    const to = `reverse_proxy ${targets.join(' ')} {\n${lines}`;
    return isBehindShop
      ? site.replace('reverse_proxy 127.0.0.1:8787 {', to)
      : site.replace('reverse_proxy 127.0.0.1:8787', `${to}\n}`);
  },
};

const withTargets = (text: string, [first, second]: string[]) =>
  text.replace('10.0.0.11:8787', first!).replace('10.0.0.12:8787', second!);

/**
 * Makes the configuration of the recipe's path on the shop's own web server, with plain http.
 * @param direct port of the server's proxy
 * @param authority file of the authority that has signed its certificate
 */
export const shopPath: Record<WebServer, (port: number, direct: number, authority: string) => string> = {
  nginx(port, direct) {
    const path = exampleOf('sdk/recipes/own-host.md', 'own-path-nginx');
    return `server { listen 127.0.0.1:${port}; ${path.replace('orders.shop.example', `127.0.0.1:${direct}`)} }`;
  },
  caddy(port, direct, authority) {
    const path = exampleOf('sdk/recipes/own-host.md', 'own-path-caddy').replace(
      'reverse_proxy https://orders.shop.example {',
      `reverse_proxy https://localhost:${direct} {\ntransport http {\ntls_trusted_ca_certs ${authority}\n}`,
    );
    return `http://127.0.0.1:${port} {\n${path}\n}`;
  },
};
