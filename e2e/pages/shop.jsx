import { createTracker } from '@orderbeacon/sdk';
import { StrictMode, useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';

const { teamId, endpoint } = window.shop;
const { track } = createTracker({ teamId, endpoint });

function Confirmation({ order }) {
  const [number, setNumber] = useState(null);
  // StrictMode runs this twice: the orderId makes both one order.
  useEffect(() => {
    track('order', order).then((result) => setNumber(result.order?.orderNumber ?? result.status));
  }, [order]);
  return <p id="number">{number}</p>;
}

function Shop() {
  const [order, setOrder] = useState(null);
  const buy = () => {
    const name = new URLSearchParams(location.search).get('name');
    history.pushState(null, '', '?bought');
    setOrder({ email: 'ann@shop.example', amount: '49.90', name, orderId: name });
  };
  return order ? (
    <Confirmation order={order} />
  ) : (
    <button type="button" id="buy" onClick={buy}>
      Buy
    </button>
  );
}

createRoot(document.getElementById('root')).render(
  <StrictMode>
    <Shop />
  </StrictMode>,
);
