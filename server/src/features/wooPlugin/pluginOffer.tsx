import { useConsole } from '../../console/context.js';
import { ModeChoice } from '../../console/parts/elements.js';
import { Action, Confirm, Form, NoForm } from '../../console/parts/form.js';
import { Guide } from '../../console/parts/guide.js';
import { Badge, Notice, Panel } from '../../console/parts/panel.js';
import { describeTag } from '../../console/setup/install.js';
import { displayDomain, hostOfUrl, isAllowed, parseNewDomainEntry } from '../../core/teams/domains.js';
import { encodeId } from '../../values/ids.js';
import { describeReach } from '../sources/setup/describeReach.js';
import { sourcePath } from '../sources/source.js';
import type { ListedSource } from '../sources/sql/source.js';

/** Path of the download, below the team's path. */
export const downloadPath = '/setup/install/woocommerce-plugin';

/** Path, below the team's path, that redirects to the page of the shop on which its owner grants an API key. */
export const askPath = '/setup/install/woocommerce-key';

interface PluginOfferProps {
  publicUrl: string;
  /** The team's sources of WooCommerce. */
  shops: readonly ListedSource[];
  domains: readonly { domain: string; isTest: boolean }[];
}

/** The panel that offers the plugin: for a new source, or for each existing one. */
export function PluginOffer({ publicUrl, shops, domains }: PluginOfferProps) {
  // The page already describes what keeps browsers away, with the same fix.
  const isDescribed = describeTag(publicUrl, domains) !== null;
  const reach = isDescribed ? null : describeReach('woocommerce', publicUrl + sourcePath({ token: '' }));
  return (
    <Panel id="plugin" title="The plugin: all of it in one upload">
      {reach !== null && <Notice tone="warn">{reach}</Notice>}
      <div class="body stack">
        <p>
          In WordPress open <b>Plugins → Add New Plugin → Upload Plugin</b>, choose the file, and activate it.
          It prints the tag, reports orders on the “thank you” page, keeps the visitor with each order, and
          makes the webhook. WordPress then says under <b>Plugins</b> if it works, and your shop’s domain and
          a key for missing orders are one press each, there and here.{' '}
          <Guide to="woocommerce-plugin">What it does, and consent</Guide>
        </p>
        <p class="muted">
          Keep the file as you keep a password: it contains a secret that is made for this download, and not
          shown again. With the plugin you need neither step 1 nor step 2.
        </p>
        <NoForm action="download the plugin" />
        {shops.length === 0 && (
          <Form action={downloadPath} class="line">
            <ModeChoice isTest={domains.length > 0 && domains.every(({ isTest }) => isTest)} />
            <button type="submit">Download the plugin</button>
          </Form>
        )}
        {shops.map((shop) => (
          <>
            <Lacks shop={shop} domains={domains} isSafe={publicUrl.startsWith('https:')} />
            <Download shop={shop} isAlone={shops.length === 1} />
          </>
        ))}
      </div>
    </Panel>
  );
}

interface LacksProps extends Pick<PluginOfferProps, 'domains'> {
  shop: ListedSource;
  /** Set if this server has https, without which WooCommerce sends it no API key. */
  isSafe: boolean;
}

/** Offers the missing domain and the missing API key of a shop that the plugin named. */
function Lacks({ shop, domains, isSafe }: LacksProps) {
  const { link, session } = useConsole();
  const { id, shopUrl, apiKey, isTest } = shop;
  const host = hostOfUrl(shopUrl ?? '');
  if (host === null) return null;
  const isListed = isAllowed(host, new Set(domains.map(({ domain }) => domain)));
  // The apex includes its `www.`.
  const parsed = parseNewDomainEntry(host.replace(/^www\./, ''));
  const entry = isListed || 'hint' in parsed ? null : parsed.entry;
  return (
    <>
      {entry !== null && (
        <Notice
          tone="warn"
          actions={
            <Action to="/setup/domains" fields={{ domain: entry, ...(isTest && { test: 'yes' }) }}>
              Allow {displayDomain(entry)}
            </Action>
          }
        >
          The pages of {displayDomain(host)}, on which the plugin is active, are not allowed to report yet.
        </Notice>
      )}
      {apiKey === null && isSafe && shopUrl?.startsWith('https:') && !session.isReadOnly && (
        <Notice
          tone="warn"
          actions={
            <a class="button" href={link(askPath, { source: encodeId('src', id) })}>
              Let {displayDomain(host)} be asked
            </a>
          }
        >
          WooCommerce never sends a failed delivery again. Sign in there, and approve a key that may only
          read: then it is asked for such orders.
        </Notice>
      )}
    </>
  );
}

/** The download for an existing source, which asks for confirmation. */
function Download({ shop, isAlone }: { shop: ListedSource; isAlone: boolean }) {
  const { id, orderIdPrefix, isTest, token } = shop;
  return (
    <div class="line">
      <span>
        {isAlone ? (
          'For your source of WooCommerce'
        ) : (
          <>For the source whose URL ends with “{token.slice(-4)}”</>
        )}
        {orderIdPrefix && <>, with “{orderIdPrefix}” before its order ids</>}
      </span>
      {isTest && <Badge tone="warn">test</Badge>}
      <Confirm
        to={downloadPath}
        fields={{ source: encodeId('src', id) }}
        title="Download the plugin"
        text="The source gets a new secret, and takes nothing that is signed with the one before: upload the plugin soon. Remove a webhook that you have made by hand, and the lines below from your theme."
      >
        Download it with a new secret
      </Confirm>
    </div>
  );
}
