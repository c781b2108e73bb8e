import { wireTracker } from './tracker';

const tag = (document.currentScript ??
  document.querySelector('script[data-team-id],script[src*="team=team_"]')) as HTMLScriptElement;
const url = new URL(tag.src);
const read = (name: string) => tag.getAttribute(`data-${name}`) ?? url.searchParams.get(name);
const page = window as unknown as Record<string, any>;
const name = read('global') || 'track';
const stub = page[name];
if (!stub?.visitorId) {
  const tracker = wireTracker((read('team-id') || read('team'))!, read('endpoint') || url.origin, read('visitor') === 'off', () => {});
  page[name] = Object.assign(tracker.track, { visitorId: () => tracker.visitorId });
  for (const call of stub?.q ?? []) page[name](...call);
}
