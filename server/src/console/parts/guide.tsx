import type { Child } from 'hono/jsx';
import { useConsole } from '../context.js';

/** A link to a guide, by its path below the guides. Renders nothing if this server has no guides. */
export function Guide({ to, children }: { to: string; children: Child }) {
  const { guides } = useConsole();
  return guides === null ? null : <a href={`${guides}/${to}`}>{children}</a>;
}
