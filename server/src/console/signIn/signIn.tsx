import { html } from 'hono/html';
import { command } from '../../values/command.js';
import type { LinkOutcome } from '../access/consoleSession.js';
import { type ConsoleContext, useConsole } from '../context.js';
import { renderPage } from '../parts/layout.js';
import { Notice } from '../parts/panel.js';

/** The reason why a text did not sign in. */
export type SignInRefusal = Exclude<LinkOutcome, 'redeemed'> | 'incomplete' | 'noCookies';

const refusals: Record<SignInRefusal, string> = {
  used: 'This link was used before, and a link works once. Ask for a new one.',
  expired: 'This link has expired. Ask for a new one.',
  unknown:
    'This server does not know this link. It was withdrawn, or it is of another server. Ask for a new one.',
  incomplete: 'This link is incomplete. Copy all of it, up to its last character, and paste it below.',
  noCookies:
    'This browser keeps no cookie of this page, and without one nobody is signed in. Allow cookies here and open the link once more: it is not used up.',
};

/** Answers with the sign-in page. */
export function renderSignIn(
  c: ConsoleContext,
  refusal: SignInRefusal | null,
  to: string,
): Promise<Response> {
  return renderPage(c, <SignIn refusal={refusal} to={to} />, { title: 'Sign in' });
}

/** Answers with a page that loads itself again. */
export function renderReload(c: ConsoleContext) {
  return c.html(html`<!doctype html><meta http-equiv="refresh" content="0"><title>Orderbeacon</title>`);
}

/** Answers a form whose session has ended. The browser keeps what was typed, and sends it again on a reload. */
export function renderSignedOut(c: ConsoleContext): Promise<Response> {
  c.status(403);
  const title = 'You are signed out';
  return renderPage(
    c,
    <>
      <h1>{title}</h1>
      <p>
        Nothing was changed. What you sent is not lost:{' '}
        <a href={`${c.var.base}/console`} target="_blank" rel="noopener">
          sign in
        </a>{' '}
        in another tab. Then reload this page, and let the browser send the form again.
      </p>
    </>,
    { title },
  );
}

function SignIn({ refusal, to }: { refusal: SignInRefusal | null; to: string }) {
  const { base } = useConsole();
  const [team] = /(?<=^\/console\/)team_\w+/.exec(to) ?? [];
  return (
    <section class="panel">
      <header>
        <h1>Sign in to Orderbeacon</h1>
      </header>
      <div class="body stack">
        <p>
          Orderbeacon keeps each order that your shop’s pages, backend or shop system report, exactly once.
        </p>
        {refusal && (
          <Notice tone="bad" role="alert">
            {refusals[refusal]}
          </Notice>
        )}
        <form id="sign-in" class="stack" method="post" action={`${base}/console/sign-in`}>
          <input type="hidden" name="to" value={to} />
          <label for="token">Open your link, or paste it here</label>
          <div class="line">
            <input
              id="token"
              class="grow"
              name="token"
              type="text"
              required
              autocomplete="off"
              spellcheck={false}
            />
            <button type="submit">Sign in</button>
          </div>
        </form>
      </div>
      <div class="body stack">
        <h2>Where is my link?</h2>
        <p>
          A link works once. Ask whoever runs your server for a new link, or a colleague who is signed in: the
          page Setup makes them. On the server,{' '}
          {team ? 'this prints one' : 'the first prints your team’s id, the second a link'}:
        </p>
        <pre tabindex={0}>
          <code>
            {team === undefined && `${command} team list\n`}
            {`${command} console --team ${team ?? 'team_…'}`}
          </code>
        </pre>
      </div>
    </section>
  );
}
