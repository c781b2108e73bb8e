import { expect, it } from 'vitest';
import { isOrderId } from '../src/orders/isOrderId.js';
import { readTouches } from '../src/orders/touches.js';
import { noTouch } from './noTouch.js';

const destination = { host: 'www.shop.example', createdAt: '2026-05-10T12:00:00.000Z' };
const at = Date.UTC(2026, 4, 1);
const read = (text: string) =>
  readTouches(Buffer.from(text, 'latin1').toString('base64'), destination)?.firstTouch;
const unknown = { ...noTouch, at: '2026-05-01T00:00:00.000Z', path: '/' };

it.each([
  ['undefined  /', {}],
  ['undefined  /caf%C3%A9/%E2%82', { path: '/café/' }],
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
  ['undefined ?xyzclid= /', {}],
  ['undefined ?ref=blog,&gclid= /', { source: 'blog', clickId: 'gclid' }],
  ['undefined ?ref=blog,&utm_source=Google,&gclid= /', { source: 'Google', medium: 'cpc', clickId: 'gclid' }],
  ['undefined ?utm_source=a,&utm_source=b /', { source: 'a' }],
  ['undefined ?utm_id=7,&constructor=1 /', {}],
  ['undefined ?utm_source=a,&utm_camp', { source: 'a', path: null }],
  ['undefined ?utm_source=a%E', { source: 'a', path: null }],
  [`undefined ?utm_source=${'%F0%9F%98%80'.repeat(200)} /`, { source: '😀'.repeat(127) }],
])('reads the landing %s', (text, expected) => {
  expect(read(`${at} ${text}`)).toEqual({ ...unknown, ...expected });
});

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
    expect(readTouches(landings, destination)).toBeNull();
  const last = btoa(`${at} undefined ?ref=a /`);
  expect(readTouches(`.${last}`, destination)).toEqual({ lastTouch: { ...unknown, source: 'a' } });
});

it.each([
  '{{ order.id }}',
  '{{order_id}}',
  'A-{{ id }}',
  '[[ORDER_ID]]',
  '%order_id%',
  '%%ORDER%%',
  '%s',
  '<%= order.id %>',
  '<?= $id ?>',
  '$\u007border.id}',
  '#{id}',
  '{% raw %}',
  'undefined',
  'null',
  'NULL',
  'NaN',
  '0',
  '0.00',
  '[object Object]',
  ':id',
  ':order_id',
  '__ORDER_ID__',
  '{order_id}',
  '[order_id]',
  '<order-id>',
  'true',
  'False',
  '-',
  '—',
  '#',
  '...',
  'n/a',
  'N/A',
  'none',
  'nil',
  '$order_id',
  '*|ORDER|*',
  'ORDER_ID',
  'your-order-id',
  'orderId',
  'Infinity',
  '{{\n  order.id\n}}',
  '{$order.id}',
  "{$order['id']}",
  '$order->get_id()',
  "$order['id']",
  '[order:id]',
  'order-undefined',
  'Order #null',
  '#NaN',
  '[% order.id %]',
  '$(OrderID)',
  '#order.id#',
  '##ORDER_ID##',
  '@Model.OrderId',
  'INSERT_ORDER_ID_HERE',
  'transaction_id',
  'order.id',
  '(not set)',
  '',
  '  ',
])('%s is no order id', (id) => {
  expect(isOrderId(id)).toBe(false);
});

it.each([
  '#1001',
  '1000%',
  'A{1}',
  'NULL-7',
  '0001',
  '1',
  '00',
  'A-1',
  'N/A-7',
  'true-1',
  'order-7',
  'ORDER_ID_7',
  '100:id',
  '{8f14e45f-ceea}',
  '[1001]',
  '$1001',
  '%1001',
  ':1001',
  '__1__',
  '注文',
  '2026/1',
  'undefined-1',
  '1001-undefined',
  'A7_null',
  'Fernan',
  '$A-1001',
  '#A-1001',
  '@1001',
  'order_id_7',
  '(1001)',
  'x'.repeat(128),
  '٣',
])('%s is an order id', (id) => {
  expect(isOrderId(id)).toBe(true);
});
