import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { ReportOrder } from './ReportOrder.jsx';

const orderId = new URLSearchParams(location.search).get('orderId');

createRoot(document.getElementById('root')).render(
  <StrictMode>
    <ReportOrder order={{ email: 'ann@buyer.example', amount: 49.9, orderId }} />
  </StrictMode>,
);
