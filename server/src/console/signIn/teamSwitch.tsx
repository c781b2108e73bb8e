import type { Handler } from 'hono';
import { decodeId, encodeId } from '../../values/ids.js';
import { type ConsoleDeps, type ConsoleEnv, useConsole } from '../context.js';
import { Form } from '../parts/form.js';
import { setSessionCookie } from './sessionCookie.js';

/**
 * `POST /console/switch`: makes another session of this browser the current one. A team that it has no session of changes
 * nothing.
 */
export function postSwitch(deps: ConsoleDeps): Handler<ConsoleEnv> {
  return function postSwitch(c) {
    const { form, held } = c.var;
    const team = decodeId('team', form.team ?? '');
    const chosen = held.filter(({ teamId }) => teamId === team);
    const others = held.filter(({ teamId }) => teamId !== team);
    setSessionCookie(c, deps, [...chosen, ...others]);
    return c.redirect(`${c.var.base}/console`, 303);
  };
}

/** The name of the team, as a menu of the other teams where the browser is signed in to several. */
export function TeamSwitch() {
  const { session } = useConsole();
  const { teamName, otherTeams } = session;
  if (otherTeams.length === 0) return <strong dir="auto">{teamName}</strong>;
  return (
    <details class="teams">
      <summary>
        <strong dir="auto">{teamName}</strong>
      </summary>
      <Form action="/console/switch" class="teams-menu">
        <small>Switch to</small>
        {otherTeams.map(({ id, name }) => (
          <button
            type="submit"
            name="team"
            value={encodeId('team', id)}
            class="outline secondary small"
            aria-label={`Switch to ${name}`}
          >
            <bdi>{name}</bdi>
          </button>
        ))}
      </Form>
    </details>
  );
}
