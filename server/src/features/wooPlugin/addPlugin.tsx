import type { ConsoleHost } from '../../console/consoleHost.js';
import type { ConsoleContext } from '../../console/context.js';
import { setFlash } from '../../console/parts/layout.js';
import { readPlatform } from '../../console/setup/install.js';
import { listDomains } from '../../core/teams/sql/domain.js';
import { decodeId, encodeId } from '../../values/ids.js';
import { addSource } from '../sources/setup/addSource.js';
import { newSecret, sourcePath, sourcesAtMost } from '../sources/source.js';
import { listSources, replaceSecret } from '../sources/sql/source.js';
import { approvalPage, writeApiKeyRequest } from './apiKeyRequest.js';
import { askPath, downloadPath, PluginOffer } from './pluginOffer.js';
import { zipPlugin } from './zipPlugin.js';

/** Adds the download of the plugin to the setup page Install. */
export function addPlugin(console: ConsoleHost, publicUrl: () => string): void {
  console.draw('insteadOfPieces', async (c) => {
    if (readPlatform(c.req.query('platform')) !== 'woocommerce') return null;
    const [shops, domains] = await Promise.all([listShops(c), c.var.query(listDomains)]);
    return <PluginOffer publicUrl={publicUrl()} shops={shops} domains={domains} />;
  });
  console.pages((app, { secret, clock }) => {
    // Redirects to the shop's page that asks for a read-only API key, which WooCommerce then sends to this server.
    app.get(askPath, async (c) => {
      const id = decodeId('src', c.req.query('source') ?? '');
      const source = (await listShops(c)).find((shop) => shop.id === id);
      const about = { secret, nowMs: clock.nowMs(), publicUrl: publicUrl() };
      const request = source && !c.var.session.isReadOnly ? writeApiKeyRequest(source, about) : null;
      const setup = c.var.link('/setup/install', { platform: 'woocommerce' });
      if (!request) return c.redirect(setup, 303);
      const returnUrl = new URL(setup, publicUrl()).href;
      return c.redirect(approvalPage(source!.shopUrl!, { request, publicUrl: publicUrl(), returnUrl }), 303);
    });
    // Answers with the plugin. Its secret is made now, and no other answer contains it. A known source gets the new
    // secret, too.
    app.post(downloadPath, async (c) => {
      const source = await giveSecret(c);
      if ('refusal' in source) {
        setFlash(c, { words: source.refusal, tone: 'bad' });
        return c.redirect(c.var.link('/setup/install', { platform: 'woocommerce' }), 303);
      }
      const zip = zipPlugin({
        publicUrl: publicUrl(),
        teamId: encodeId('team', c.var.session.teamId),
        sourceUrl: publicUrl() + sourcePath(source),
        secret: source.secret,
        orderIdPrefix: source.orderIdPrefix,
      });
      return c.body(zip, 200, {
        'Content-Type': 'application/zip',
        'Content-Disposition': 'attachment; filename="orderbeacon.zip"',
      });
    });
  });
}

const listShops = async (c: ConsoleContext) =>
  (await c.var.queryOnce(listSources)).filter(({ kind }) => kind === 'woocommerce');

/** Gives a new secret to the source that the form names, or to a new source if it names none. */
async function giveSecret(c: ConsoleContext) {
  const { form, query } = c.var;
  const secret = newSecret();
  const shops = await listShops(c);
  if (!form.source && shops.length === 0) {
    const source = { kind: 'woocommerce', isTest: form.test === 'yes', secret } as const;
    const added = await query(addSource, source);
    return added
      ? { ...added, secret }
      : { refusal: `A team can have ${sourcesAtMost} sources. Remove one before you add another.` };
  }
  const id = decodeId('src', form.source ?? '');
  const source = shops.find((shop) => shop.id === id);
  // If the form names no source but there is one, that was made since: in another tab, or by the previous press.
  return source && (await query(replaceSecret, source.id, secret))
    ? { ...source, secret }
    : {
        refusal:
          'The source has changed meanwhile, so nothing was downloaded. Look again, and press once more.',
      };
}
