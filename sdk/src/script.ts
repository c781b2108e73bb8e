import type { Say } from './steps';
import { wireTracker } from './tracker';

const tag = (document.currentScript ??
  document.querySelector('[data-team-id],[src*="team=team_"]')) as HTMLScriptElement;
const { searchParams, origin } = new URL(tag.src);
const {
  team,
  teamId = team,
  endpoint = origin,
  global: name = 'track',
  visitor,
  debug,
}: Record<string, string | undefined> = { ...Object.fromEntries(searchParams), ...tag.dataset };
const page = self as any;
const stub = page[name];
if (!stub?.visitorId) {
  if (!teamId) console.error('Orderbeacon: script tag without data-team-id');
  const heard: unknown[][] = [];
  const say: Say = (...step) => heard.push(step);
  if (debug != null) import(new URL('debug.js', tag.src) as unknown as string).then((words) => words.default(heard));
  const track = wireTracker(teamId!, endpoint, visitor === 'off', say);
  page[name] = track;
  for (const call of stub?.q ?? []) track.apply(null, call);
}
