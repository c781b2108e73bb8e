// The demo page: places an order, reports it through the tag, and says in a sentence what became of it.
(() => {
  const byId = (id) => document.getElementById(id);
  const { team } = byId('demo').dataset;
  let order;

  function show(kind, text, fix = '') {
    byId('answer').className = `notice ${kind}`;
    byId('answer').textContent = text;
    byId('fix').textContent = fix;
    byId('fix').hidden = fix === '';
  }

  function place() {
    const number = `DEMO-${Date.now().toString(36).toUpperCase()}`;
    order = {
      email: 'ann@shop.example',
      name: 'Ann Demo',
      amount: 49.9,
      currency: 'USD',
      orderId: number,
      items: [{ sku: 'TEE-M', name: 'T-shirt, size M', quantity: 2, price: 24.95 }],
    };
    byId('order-id').textContent = order.orderId;
    byId('order-email').textContent = order.email;
    byId('order-amount').textContent = '49.90 USD';
    byId('test').hidden = true;
    void report();
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
  }

  function showRefusal({ code, message, issues = [] }) {
    const fields = issues.map(({ path, message }) => `${path} ${message}`).join('; ');
    show('bad', `Refused: ${message}${fields && ` (${fields})`}`, fixOf(code));
  }

  function fixOf(code) {
    if (code === 'domain_not_allowed') {
      const host = location.hostname;
      return `This page’s host, ${host}, is not among the domains of the demo team. Allow it on the console’s page Setup, or with: node_modules/.bin/orderbeacon domain add --team ${team} --test ${host}`;
    }
    if (code === 'order_conflict') return 'Another buyer has an order of this id. Place another order.';
    return 'Place another order; if that is refused too, read this page’s console.';
  }

  byId('another').onclick = place;
  byId('again').onclick = report;
  addEventListener('load', place);
})();
