import { expect, it } from 'vitest';
import { isName, isOrderId } from '../../../src/core/orders/receive/repair.js';

it.each([
  '{{ order.id }}',
  '{{order_id}}',
  'A-{{ id }}',
  '{{ orders.1.id }}',
  '{{\n  order.id\n}}',
  '{{ order.id',
  '{% raw %}',
  '{order_id}',
  '{$order.id}',
  '{!! $order->id !!}',
  '{Order Number}',
  'ORDER-{order_id}',
  '$\u007border.id}',
  '#{id}',
  '%{order_id}',
  '"{order_id}"',
  'function () { return id }',
  '[order_id]',
  '[[ORDER_ID]]',
  '[order:id]',
  '[object Object]',
  '<order-id>',
  '<%= order.id %>',
  'order-<%= order.id %>',
  '<?= $id ?>',
  '%ORDER_ID%',
  '%%ORDER_NUMBER%%',
  'ORD-%order.number%',
  '%%=v(@orderId)=%%',
  '*|ORDER_ID|*',
  '__ORDER_ID__',
  '%7B%7B order.id %7D%7D',
  'undefined',
  'null',
  'NaN',
  ' undefined ',
  '0',
  '',
  '  ',
  '-',
  '—',
  '#',
  '...',
])('%j is no order id', (id) => {
  expect(isOrderId(id)).toBe(false);
});

it.each([
  '#1001',
  '1000%',
  'caf%C3%A9-12',
  '100%-off-50%',
  '__1001__',
  'A{1}',
  'NULL-7',
  '0001',
  '1',
  '00',
  'A-1',
  '-12',
  'order-7',
  '{8f14e45f-ceea}',
  '{abcd2504-4f89-11d3-9a0c-0305e82c3301}',
  '[1001]',
  '<1001>',
  'A[B]C-7',
  '注文',
  '٣',
  '2026/1',
  'undefined-1',
  '1001-undefined',
  'Fernan',
  'x'.repeat(255),
  'MkqcqwqSMQApfmCEhCEZ-',
  'abc.def',
  'ORDER-REF',
])('%s is an order id', (id) => {
  expect(isOrderId(id)).toBe(true);
});

it.each([
  'undefined',
  'undefined undefined',
  ' null  null ',
  '[object Object]',
  '{{ customer.name }}',
  '{{first_name}} {{last_name}}',
  '$\u007bcustomer.name}',
  '<%= name %>',
])('%s is no name', (name) => {
  expect(isName(name)).toBe(false);
});

it.each([
  'Ann Lee',
  'Jennifer Null',
  'None',
  "O'Brien (Bob)",
  'Ke$ha',
  '100 % Wolle GmbH',
  'Müller & Söhne: Köln',
  'undefined Lee',
  'Ann <!--<script>',
  '李 小龍',
  'ann@mail.example',
  'x'.repeat(255),
])('%s is a name', (name) => {
  expect(isName(name)).toBe(true);
});
