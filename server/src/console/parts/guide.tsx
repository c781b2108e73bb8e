import type { Child } from 'hono/jsx';
import { useConsole } from '../context.js';

/** A link to a guide, by its path below the guides. Draws nothing on a server without guides. */
export function Guide({ to, children }: { to: string; children: Child }) {
  const { guides } = useConsole();
  return guides === null ? null : <a href={`${guides}/${to}`}>{children}</a>;
}
