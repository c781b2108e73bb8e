import { html } from 'hono/html';
import type { LinkOutcome } from '../../core/teams/sql/consoleSession.js';
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

/** Answers with a page that loads itself once more. */
export function renderReload(c: ConsoleContext) {
  return c.html(html`<!doctype html><meta http-equiv="refresh" content="0"><title>Orderbeacon</title>`);
}

/** Answers a form of a session that has ended: the browser still has what was typed, and sends it again at a reload. */
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
  return (
    <>
      <h1>Sign in to Orderbeacon</h1>
      {refusal && (
        <Notice tone="bad" role="alert">
          {refusals[refusal]}
        </Notice>
      )}
      <p>
        You sign in with a link, which works once. Ask whoever runs your server for a new link, or a colleague
        who is signed in: the page Setup makes them.
      </p>
      <form id="sign-in" class="stack" method="post" action={`${base}/console/sign-in`}>
        <input type="hidden" name="to" value={to} />
        <label for="token">Open the link, or paste it here</label>
        <input id="token" name="token" type="text" required autocomplete="off" spellcheck={false} />
        <button type="submit">Sign in</button>
      </form>
      <details>
        <summary>I run the server</summary>
        <p>
          This command, on the server, prints a link to the console of one team. <code>team list</code> prints
          the ids of the teams.
        </p>
        <pre tabindex={0}>
          <code>node_modules/.bin/orderbeacon console --team team_…</code>
        </pre>
      </details>
    </>
  );
}
