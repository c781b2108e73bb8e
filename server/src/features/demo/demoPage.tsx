import { raw } from 'hono/html';
import { Copy } from '../../console/parts/panel.js';
import { type NavLink, sitePage } from '../../console/parts/sitePage.js';
import { stub, tagHtml } from '../../core/script/tag.js';
import { command } from '../../values/command.js';

interface DemoPage {
  teamId: string;
  publicUrl: string;
  nonce: string;
  navLinks: readonly NavLink[];
}

/**
 * Writes the demo page. The addresses of this server's files are relative, so that it also works behind a proxy that
 * adds a path.
 */
export function demoPage({ teamId, publicUrl, nonce, navLinks }: DemoPage): string {
  return sitePage({
    root: '.',
    navLinks,
    here: '/demo',
    title: 'Thank you for your order',
    styles: ['/demo/demo.css'],
    scripts: ['/console/assets/console.js', '/demo/demo.js'],
    nonce,
    head: (
      <>
        <script
          async
          nonce={nonce}
          src={`${publicUrl}/sdk/track.js`}
          data-team-id={teamId}
          data-endpoint={publicUrl}
        ></script>
        <script nonce={nonce}>{raw(stub())}</script>
      </>
    ),
    children: (
      <main id="content" data-team={teamId} data-server={publicUrl}>
        <div>
          <h1>Thank you for your order</h1>
          <p class="muted">
            This page stands for a shop’s confirmation page. It has just reported this order.
          </p>
        </div>
        <div class="split">
          <section class="panel">
            <header>
              <h2>
                Order <span id="order-id"></span>{' '}
                <span id="test" class="badge warn" hidden>
                  test
                </span>
              </h2>
            </header>
            <dl class="body">
              <div>
                <dt>Buyer</dt>
                <dd id="order-email"></dd>
              </div>
              <div>
                <dt>Items</dt>
                <dd>2 × T-shirt, size M</dd>
              </div>
              <div>
                <dt>Total</dt>
                <dd id="order-amount"></dd>
              </div>
            </dl>
          </section>
          <section class="panel">
            <header>
              <h2>What became of it</h2>
            </header>
            <div class="body stack">
              <p id="answer" class="notice" role="status">
                This page needs JavaScript, as the tag does.
              </p>
              <p id="fix" hidden></p>
              <p id="look" hidden>
                <span id="look-text"></span>
                <a id="look-link" href={`console/${teamId}`}>
                  open the console
                </a>
              </p>
            </div>
          </section>
        </div>
        <ol class="story">
          <li class="panel">
            <h2>1. Report it</h2>
            <p>
              <button id="another" type="button">
                Place another order
              </button>
            </p>
            <p>
              <button id="again" type="button" class="outline">
                Report this one again
              </button>
            </p>
            <p class="muted">As a reloaded page does. It is stored once.</p>
          </li>
          <li class="panel">
            <h2>2. Try to lose it</h2>
            <p>
              <button id="offline" type="button" class="outline">
                Go offline and order
              </button>
            </p>
            <p>
              <button id="broken" type="button" class="outline">
                Break the amount
              </button>
            </p>
            <p class="muted">
              Offline, every request of this page fails. Broken, it reports “49,90”, which is no number.
            </p>
          </li>
          <li class="panel">
            <h2>3. Find it again</h2>
            <p>
              <a class="button" href={`console/${teamId}/orders`}>
                Orders on the console
              </a>
            </p>
            <p>
              <a href={`console/${teamId}/refused`}>Refused reports</a>, kept to be corrected and stored
            </p>
            <p class="muted">Sign in with the link that was printed when the server started.</p>
          </li>
        </ol>
        <div class="split own">
          <section class="panel">
            <Copy title="The same in a terminal" name="the command">
              {`${command} order list --team ${teamId}`}
            </Copy>
          </section>
          <section class="panel">
            <Copy title="The tag for your own page" name="the tag">
              {tagHtml({ teamId, publicUrl })}
            </Copy>
          </section>
        </div>
      </main>
    ),
  });
}
