import { expect, it } from 'vitest';
import { readTouches } from '../../../src/core/orders/receive/touches.js';
import { noTouch } from '../../kit/noTouch.js';

const destination = { host: 'www.shop.example', createdAt: '2026-05-10T12:00:00.000Z' };
const at = Date.UTC(2026, 4, 1);
const read = (text: string) =>
  readTouches(Buffer.from(text, 'latin1').toString('base64'), destination).firstTouch;
const unknown = { ...noTouch, at: '2026-05-01T00:00:00.000Z', path: '/' };

it.each([
  ['undefined  /', {}],
  ['undefined  /caf%C3%A9/%E2%82', { path: '/café/%E2%82' }],
  [
    'undefined ?utm_source=foo%bar,&utm_medium=50%,&utm_campaign=caf%E9 /',
    { source: 'foo%bar', medium: '50%', campaign: 'caf%E9' },
  ],
  ['undefined ?utm_source=%ED%A0%80%00a /', { source: '%ED%A0%80a' }],
  ['Google.com:8080  /', { referrer: 'google.com' }],
  ['shop.example  /', {}],
  ['checkout.shop.example:443  /', {}],
  ['not<a>host  /', {}],
  [
    'mail.example ?utm_source=News+letter,&utm_medium=email,&utm_campaign=spring%2026,&utm_term=a,b,&utm_content=%20c%00d /',
    {
      referrer: 'mail.example',
      source: 'News letter',
      medium: 'email',
      campaign: 'spring 26',
      term: 'a,b',
      content: 'cd',
    },
  ],
  ['undefined ?gclid= /', { source: 'google', medium: 'cpc', clickId: 'gclid' }],
  ['undefined ?fbclid= /', { source: 'facebook', clickId: 'fbclid' }],
  ['undefined ?li_fat_id= /', { source: 'linkedin', medium: 'cpc', clickId: 'li_fat_id' }],
  ['undefined ?epik= /', { source: 'pinterest', medium: 'cpc', clickId: 'epik' }],
  ['undefined ?ScCid= /', { source: 'snapchat', medium: 'cpc', clickId: 'sccid' }],
  ['undefined ?XYZclid= /', { source: 'xyzclid', clickId: 'xyzclid' }],
  ['ya.ru ?ysclid= /', { referrer: 'ya.ru', source: 'yandex', clickId: 'ysclid' }],
  ['undefined ?clidx=1,&id=2 /', {}],
  ['undefined ?rdt_cid= /', { source: 'reddit', medium: 'cpc', clickId: 'rdt_cid' }],
  ['undefined ?awc= /', { source: 'awin', medium: 'affiliate', clickId: 'awc' }],
  ['undefined ?cjevent= /', { source: 'cj', medium: 'affiliate', clickId: 'cjevent' }],
  ['undefined ?irclickid= /', { source: 'impact', medium: 'affiliate', clickId: 'irclickid' }],
  ['undefined ?sscid= /', { source: 'shareasale', medium: 'affiliate', clickId: 'sscid' }],
  ['undefined ?mc_cid= /', { source: 'mailchimp', medium: 'email', clickId: 'mc_cid' }],
  ['undefined ?click_id= /', { source: 'click_id', clickId: 'click_id' }],
  ['undefined ?clickid= /', { source: 'clickid', clickId: 'clickid' }],
  ['undefined ?gad_source= /', { source: 'google', medium: 'cpc', clickId: 'gad_source' }],
  [
    'undefined ?gad_source=,&gad_campaignid=,&gclid=,&gbraid= /',
    { source: 'google', medium: 'cpc', clickId: 'gclid' },
  ],
  ['undefined ?client_id=,&cid= /', {}],
  ['partner.example ?ref=partner /', { referrer: 'partner.example', source: 'partner' }],
  ['undefined ?ref=blackfriday-sale-2026 /', { source: 'blackfriday-sale-2026' }],
  ['shop.example ?ref=menu /', {}],
  ['blog.shop.example:8443 ?ref=menu,&utm_campaign=spring /', { campaign: 'spring' }],
  ['undefined ?ref=wc_order_58d2d042d1d /', {}],
  ['pay.example ?ref=0f8fad5b-d9cb-469f-a165-70867728950e /', { referrer: 'pay.example' }],
  ['undefined ?ref=AbCdEfGhIjKlMnOpQrStUvWxYz /', {}],
  ['undefined ?ref=blog,&gclid= /', { source: 'blog', clickId: 'gclid' }],
  ['undefined ?ref=blog,&utm_source=Google,&gclid= /', { source: 'Google', medium: 'cpc', clickId: 'gclid' }],
  ['undefined ?utm_source=a,&utm_source=b /', { source: 'a' }],
  ['undefined ?UTM_Source=a,;utm_medium=b,;utm_ca', { source: 'a', medium: 'b', path: null }],
  ['undefined ?utm_id=7,&constructor=1 /', {}],
  ['undefined ?utm_source=a,&utm_camp', { source: 'a', path: null }],
  ['undefined ?utm_source=a%E', { source: 'a%E', path: null }],
  [`undefined ?utm_source=${'%F0%9F%98%80'.repeat(200)} /`, { source: '😀'.repeat(127) }],
])('reads the landing %s', (text, expected) => {
  expect(read(`${at} ${text}`)).toEqual({ ...unknown, ...expected });
});

it.each(['%', '%E', '%E2', '%E2%8', '%E2%82', '%F0%9F%98', '%C3'])(
  'a landing that the script has cut behind %s has none of it',
  (escapes) => {
    const start = `${at} undefined ?utm_source=${'x'.repeat(200)},&utm_campaign=spring`;
    expect(read(start.padEnd(300 - escapes.length, '!') + escapes)!.campaign).toMatch(/^spring!+$/);
  },
);

it('a time after the order is the order’s, and a clock that was never set is unknown', () => {
  expect(read(`${Date.UTC(2027)} undefined  /`)!.at).toBe(destination.createdAt);
  for (const ms of ['0', '1', 'NaN', '-1', '1e13', '99999999999999999999'])
    expect(read(`${ms} undefined  /`)!.at).toBeNull();
});

it('a landing of which nothing can be read is none, and the last one needs a campaign', () => {
  for (const landings of [
    undefined,
    '',
    '.',
    '====',
    btoa('x undefined z'),
    `.${btoa(`${at} undefined  /`)}`,
  ])
    expect(readTouches(landings, destination)).toEqual({ firstTouch: null, lastTouch: null });
  const last = btoa(`${at} undefined ?ref=a /`);
  expect(readTouches(`.${last}`, destination)).toEqual({
    firstTouch: null,
    lastTouch: { ...unknown, source: 'a' },
  });
});
