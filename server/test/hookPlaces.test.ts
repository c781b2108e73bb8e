import { expect, it } from 'vitest';
import { deliveryBounds } from '../src/hooks/deliveryBounds.js';
import { createPlaces } from '../src/hooks/places.js';
import { newUuid } from '../src/values/ids.js';

const { inFlightPerHost } = deliveryBounds;

it('the webhooks of one team to a host that many use leave that host free for other teams', () => {
  const places = createPlaces(deliveryBounds);
  const [busy, other] = [newUuid(), newUuid()];
  const toSlack = (teamId: typeof busy) =>
    places.tryAcquire({ teamId, url: 'https://hooks.slack.com/services/1' }, false);
  const held = Array.from({ length: inFlightPerHost + 1 }, () => toSlack(busy));
  expect(held.filter((place) => place !== null)).toHaveLength(inFlightPerHost);
  expect(toSlack(other)).not.toBeNull();
  held[0]!();
  expect(toSlack(busy)).not.toBeNull();
});
