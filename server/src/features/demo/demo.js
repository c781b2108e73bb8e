// The demo page places orders, and reports them through the tag. It shows the result of each, and where to find it.
(() => {
  const byId = (id) => document.getElementById(id);
  const { team, server } = byId('content').dataset;
  const { fetch } = window;
  let order;

  function show(kind, text, fix = '') {
    byId('answer').className = `notice ${kind}`;
    byId('answer').textContent = text;
    byId('fix').textContent = fix;
    byId('fix').hidden = fix === '';
    byId('look').hidden = true;
  }

  /** Shows where the outcome can be seen: a path of the console, or only text. */
  function look(text, path) {
    byId('look-text').textContent = `${text} `;
    byId('look-link').hidden = path === undefined;
    byId('look-link').href = `${server}/console/${team}/${path ?? ''}`;
    byId('look').hidden = false;
  }

  const lookAtOrders = () => look('The console shows this order, once:', `orders?q=${order.orderId}`);

  function newId() {
    return `DEMO-${Date.now().toString(36).toUpperCase()}`;
  }

  function fill(fields = {}) {
    order = {
      email: 'ann@shop.example',
      name: 'Ann Demo',
      amount: 49.9,
      currency: 'USD',
      orderId: newId(),
      items: [{ sku: 'TEE-M', name: 'T-shirt, size M', quantity: 2, price: 24.95 }],
      ...fields,
    };
    byId('order-id').textContent = order.orderId;
    byId('order-email').textContent = order.email;
    byId('order-amount').textContent = typeof order.amount === 'number' ? '49.90 USD' : `${order.amount} USD`;
    byId('test').hidden = true;
  }

  function placeOrder(fields) {
    fill(fields);
    return report();
  }

  async function report() {
    const reported = order;
    show('', 'Waiting for the server’s answer …');
    const result = await window.track('order', reported);
    if (reported !== order) return;
    if (result.status !== 'pending') return showResult(result);
    show(
      '',
      'No answer of the server yet. The order waits in this browser, and is sent again by itself until the server answers.',
    );
    look(
      `Order ${reported.orderId} is in this browser’s localStorage, under a key that begins with “orderbeacon:”. Close this tab if you like: the next page of this shop sends it.`,
    );
    const final = await result.final;
    if (reported === order) showResult(final);
  }

  function showResult(result) {
    if (result.status === 'refused') return showRefusal(result.error);
    const { isNew, isTest, orderNumber } = result.order;
    byId('test').hidden = !isTest;
    show(
      'good',
      isNew
        ? `Stored as ${orderNumber}.`
        : `Known already as ${orderNumber}: stored once, however often it is reported.`,
    );
    lookAtOrders();
  }

  function showRefusal({ code, message }) {
    show('bad', `Refused: ${message}`, fixOf(code));
    if (code === 'domain_not_allowed' || code === 'invalid_request')
      look('The order is kept, and can still be stored:', 'refused');
  }

  function fixOf(code) {
    if (code === 'domain_not_allowed') {
      const host = location.hostname;
      return `This page’s host, ${host}, is not among the domains of the demo team. Allow it on the console’s page Setup, or with: node_modules/.bin/orderbeacon domain add --team ${team} --test ${host}`;
    }
    if (code === 'invalid_request')
      return 'The server keeps what the page sent. Somebody corrects the field on the console and stores the order, at the time at which it came.';
    if (code === 'order_conflict') return 'Another buyer has an order of this id. Place another order.';
    return 'Place another order; if that is refused too, read this page’s console.';
  }

  /** Makes every request of this page fail as on a dead network, or ends that. */
  function switchNetwork() {
    const isOffline = window.fetch === fetch;
    byId('offline').textContent = isOffline ? 'Go online again' : 'Go offline and order';
    if (isOffline) {
      window.fetch = () => Promise.reject(new TypeError('This page is offline'));
      navigator.sendBeacon = () => false;
      return void placeOrder();
    }
    window.fetch = fetch;
    delete navigator.sendBeacon;
    dispatchEvent(new Event('online'));
  }

  byId('another').onclick = () => placeOrder();
  byId('again').onclick = report;
  byId('offline').onclick = switchNetwork;
  byId('broken').onclick = () => placeOrder({ amount: '49,90' });
  addEventListener('load', () => void placeOrder());
})();
