import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import { html } from 'hono/html';
import type { Child } from 'hono/jsx';
import { RequestContext } from 'hono/jsx-renderer';
import type { ConsoleContext } from '../context.js';
import { Action } from './form.js';
import { Guide } from './guide.js';
import { Navigation } from './navigation.js';
import { Notice, type Tone } from './panel.js';
import { SiteHeader } from './sitePage.js';

interface PageProps {
  title: string;
  /** Title of the page's entry in the navigation. Only pages of a team have one. */
  here?: string;
  /** Path of the page below the team's, which is the same in both modes. Default: that of its entry in the navigation. */
  path?: string;
  /** Set if the page updates itself: parts with `data-fresh` are replaced. */
  isLive?: boolean;
}

/**
 * Answers with a page of the console. Its components get the request by `useConsole`. Hono's `jsxRenderer` would do the same,
 * but its `c.render` takes no typed properties: TypeScript cannot extend an interface that hono exports by name.
 */
export async function renderPage(
  c: ConsoleContext,
  content: Child,
  { title, here, path, isLive = false }: PageProps,
): Promise<Response> {
  const { base, navLinks, viewer, session } = c.var;
  const pages = here ? await c.var.readNavigation() : null;
  const flash = here ? takeFlash(c) : null;
  const assets = `${base}/console/assets`;
  const scripts = here ? ['console.js', ...(isLive ? ['live.js'] : [])] : ['console.js', 'signIn.js'];
  return c.html(
    html`<!doctype html>${(
      <RequestContext.Provider value={c}>
        <html lang="en" data-mode={here && c.var.isTest ? 'test' : 'live'}>
          <head>
            <meta charset="utf-8" />
            <meta name="viewport" content="width=device-width, initial-scale=1" />
            <meta name="color-scheme" content="light dark" />
            <title>{[title, here && session.teamName, 'Orderbeacon'].filter(Boolean).join(' · ')}</title>
            <link rel="icon" href={`${assets}/icon.svg`} />
            <link rel="stylesheet" href={`${assets}/pico.min.css`} />
            <link rel="stylesheet" href={`${assets}/look.css`} />
            <link rel="stylesheet" href={`${assets}/console.css`} />
            {scripts.map((name) => (
              <script src={`${assets}/${name}`} defer></script>
            ))}
          </head>
          <body
            data-live={isLive ? `${c.var.home}/live` : undefined}
            data-page={isLive && c.req.method === 'POST' ? c.var.link(path ?? '') : undefined}
            data-since={viewer.now.getTime()}
          >
            {here && pages ? (
              <Navigation here={here} path={path} pages={pages} />
            ) : (
              <SiteHeader root={base} navLinks={navLinks} here="/console" />
            )}
            <main id="content" class={here ? undefined : 'narrow'}>
              {flash && (
                <Notice
                  tone={flash.tone}
                  role="status"
                  actions={
                    <>
                      {flash.see && (
                        <a href={c.var.link(flash.see.path, flash.see.parameters)}>{flash.see.words}</a>
                      )}
                      {flash.action && (
                        <Action {...flash.action} isSmall>
                          {flash.action.words}
                        </Action>
                      )}
                      {flash.undo && (
                        <Action {...flash.undo} isSmall>
                          Undo
                        </Action>
                      )}
                    </>
                  }
                >
                  {flash.words}
                </Notice>
              )}
              {content}
            </main>
            {here && (
              <footer>
                <small>
                  Times in <a href={c.var.link('/setup/shop')}>{viewer.zone}</a>.{' '}
                  <Guide to="merchants">Help</Guide>
                  {navLinks.map(({ title, path }) => (
                    <>
                      {' · '}
                      <a href={base + path}>{title}</a>
                    </>
                  ))}
                </small>
              </footer>
            )}
          </body>
        </html>
      </RequestContext.Provider>
    )}`,
  );
}

/** Outcome of a form, which the next page shows once. */
export interface Flash {
  words: string;
  /** Default: `good`. */
  tone?: Tone;
  /** Link to the result: a path below the team's, its parameters, and the words of the link. */
  see?: { path: string; parameters?: Record<string, string>; words: string };
  /** Form for another action on the result: its path below the team's, its fields and the words of its button. */
  action?: { to: string; fields: Record<string, string>; words: string };
  /** Form that reverts the change: its path below the team's, and its fields. */
  undo?: { to: string; fields: Record<string, string> };
}

const flashCookie = 'orderbeacon_flash';
const secondsAtMost = 60;
/** Characters of the text. A cookie holds 4,096 bytes. */
const wordsAtMost = 600;

/** Keeps the outcome of a form for the team's next page. */
export function setFlash(c: ConsoleContext, { words, ...flash }: Flash): void {
  const short = words.slice(0, wordsAtMost).toWellFormed();
  const text = JSON.stringify({ ...flash, words: short, team: c.env.exchange.facts.team });
  setCookie(c, flashCookie, Buffer.from(text).toString('base64url'), {
    ...c.var.cookies,
    maxAge: secondsAtMost,
    httpOnly: true,
    sameSite: 'Strict',
  });
}

/** Takes the outcome of the last form, or null. A page that fetches itself leaves it to the next page that is opened. */
function takeFlash(c: ConsoleContext): Flash | null {
  const text = getCookie(c, flashCookie, c.var.cookies.prefix);
  if (text === undefined || c.req.header('sec-fetch-dest') === 'empty') return null;
  deleteCookie(c, flashCookie, c.var.cookies);
  try {
    const { team, words, tone, undo, see, action } = JSON.parse(String(Buffer.from(text, 'base64url')));
    if (team !== c.env.exchange.facts.team) return null;
    return {
      words: String(words),
      tone: tone === 'bad' || tone === 'warn' ? tone : 'good',
      ...(typeof see?.path === 'string' && {
        see: { path: see.path, parameters: Object(see.parameters), words: String(see.words) },
      }),
      ...(typeof action?.to === 'string' && {
        action: { to: action.to, fields: Object(action.fields), words: String(action.words) },
      }),
      ...(typeof undo?.to === 'string' && { undo: { to: undo.to, fields: Object(undo.fields) } }),
    };
  } catch {
    return null;
  }
}
