import { describe, expect, it } from 'vitest';
import { columnKey } from '../../../src/values/csvHeads.js';
import { readFileRows } from './kit/readOrderFile.js';

/** Reads one order of 10 with some more columns. */
async function readOne(columns: Record<string, string>, options = {}) {
  const csv = `Order ID,Total,${Object.keys(columns).join(',')}\nA-1,10.00,${Object.values(columns).join(',')}\n`;
  const { rows } = await readFileRows(csv, options);
  return rows[0]!.startsWith('A-1 10') ? 'paid' : rows[0];
}

describe('a column that says if an order was paid counts as a status, whatever its name', () => {
  it.each<[heads: Record<string, string>, read: string]>([
    [{ 'Paid at': '' }, 'unpaid Paid at: empty'],
    [{ 'Paid at': '2026-05-01' }, 'paid'],
    [{ 'Paid On Date': '' }, 'unpaid Paid On Date: empty'],
    [{ paid_date: 'NULL' }, 'unpaid paid_date: empty'],
    [{ paidAt: '0000-00-00' }, 'unpaid paidAt: empty'],
    [{ 'Payment Date': '' }, 'unpaid Payment Date: empty'],
    [{ Zahlungsdatum: '' }, 'unpaid Zahlungsdatum: empty'],
    [{ 'Bezahlt am': '01.05.2026' }, 'paid'],
    [{ Paid: 'No' }, 'unpaid Paid: No'],
    [{ Paid: 'false' }, 'unpaid Paid: false'],
    [{ Paid: '0' }, 'unpaid Paid: 0'],
    [{ Paid: 'Yes' }, 'paid'],
    [{ 'Is Paid': '1' }, 'paid'],
    [{ 'Paid?': 'unpaid' }, 'unpaid Paid?: unpaid'],
    [{ 'Paid Status': 'pending' }, 'unpaid Paid Status: pending'],
    [{ Paid: 'maybe' }, 'unknown Paid: maybe'],
    [{ Bezahlt: 'nein' }, 'unpaid Bezahlt: nein'],
    [{ Payé: 'non' }, 'unpaid Payé: non'],
    [{ 'Payment received': 'no' }, 'unpaid Payment received: no'],
    [{ Captured: 'false' }, 'unpaid Captured: false'],
    [{ Success: 'FALSE' }, 'unpaid Success: FALSE'],
    [{ 'Payment successful': 'yes' }, 'paid'],
    [{ Expired: 'yes' }, 'unpaid Expired: yes'],
    [{ 'Abandoned at': '2026-05-01' }, 'unpaid Abandoned at: filled'],
    [{ Reversed: 'true' }, 'unpaid Reversed: true'],
    [{ Cancelled: 'yes' }, 'unpaid Cancelled: yes'],
    [{ Cancelled: 'No' }, 'paid'],
    [{ Canceled: '' }, 'paid'],
    [{ 'Cancelled at': '2026-05-01' }, 'unpaid Cancelled at: filled'],
    [{ 'Cancelled at': '' }, 'paid'],
    [{ cancel_reason: 'customer' }, 'unpaid cancel_reason: customer'],
    [{ isCancelled: 'true' }, 'unpaid isCancelled: true'],
    [{ 'Deleted at': '2026-05-01 10:00' }, 'unpaid Deleted at: filled'],
    [{ is_deleted: '1' }, 'unpaid is_deleted: filled'],
    [{ Voided: 'TRUE' }, 'unpaid Voided: TRUE'],
    [{ Storniert: 'ja' }, 'unpaid Storniert: ja'],
    [{ 'Amount Due': '10.00' }, 'unpaid Amount Due: above 0'],
    [{ 'Amount Due': '0.00' }, 'paid'],
    [{ 'Outstanding Balance': '4.00' }, 'unpaid Outstanding Balance: above 0'],
    [{ total_due: '10.0000' }, 'unpaid total_due: above 0'],
    [{ 'Offener Betrag': '10.00 €' }, 'unpaid Offener Betrag: above 0'],
    [{ 'Amount Paid': '0.00' }, 'unpaid Amount Paid: below the total'],
    [{ 'Amount Paid': '4.00' }, 'unpaid Amount Paid: below the total'],
    [{ 'Amount Paid': '10' }, 'paid'],
    [{ Test: 'yes' }, 'otherMode'],
    [{ Test: 'no' }, 'paid'],
    [{ 'Test order': 'TRUE' }, 'otherMode'],
    [{ is_test: '1' }, 'otherMode'],
    [{ Livemode: 'false' }, 'otherMode'],
    [{ livemode: 'true' }, 'paid'],
    [{ Environment: 'sandbox' }, 'otherMode'],
    [{ 'Payment mode': 'card' }, 'paid'],
    [{ 'Paid by': '' }, 'paid'],
    [{ Paid: '4.00' }, 'unpaid Paid: below the total'],
    [{ Paid: '10.00 €' }, 'paid'],
    [{ Pago: 'Tarjeta' }, 'paid'],
    [{ 'Total Paid Real': '9.999' }, 'paid'],
    [{ 'Cancelled Amount': '3' }, 'paid'],
    // With a status as well.
    [{ Status: 'processing', 'Paid at': '' }, 'unpaid Paid at: empty'],
    [{ Status: 'completed', 'Paid at': '' }, 'paid'],
    [{ Status: 'completed', Paid: 'No' }, 'unpaid Paid: No'],
    [{ Status: 'pending', 'Paid at': '2026-05-01' }, 'unpaid pending'],
    [{ Status: 'Terminée', Paid: 'yes' }, 'unknown Terminée'],
    [{ Status: 'paid', 'Amount Due': '10' }, 'paid'],
    [{ Status: 'paid', 'Cancelled at': '2026-05-01' }, 'unpaid Cancelled at: filled'],
    [{ Status: 'refunded', 'Cancelled at': '2026-05-01' }, 'paid'],
    [{ 'Payment Status': 'paid', 'Order Status': 'Cancelled' }, 'unpaid Cancelled'],
    [{ 'Payment Status': 'paid', 'Order Status': 'open' }, 'paid'],
    [{ 'Payment Status': 'paid', 'Order Status': 'wc-trash' }, 'unpaid wc-trash'],
    [{ Status: 'completed', Payment: 'Unpaid' }, 'unpaid Unpaid'],
    [{ Payment: 'Bank transfer' }, 'paid'],
    [{ 'Sales Status': 'pending' }, 'unpaid pending'],
    [{ 'Sales Status': 'gebucht' }, 'unknown gebucht'],
    [{ Bezahlstatus: 'offen' }, 'unpaid offen'],
    [{ 'Statut paiement': 'en attente' }, 'unknown en attente'],
    [{ 'Delivery Status': 'on its way' }, 'paid'],
    [{ 'Customer Status': 'new' }, 'paid'],
    [{ Status: 'Payment accepted' }, 'paid'],
    [{ Status: 'Remote payment accepted' }, 'paid'],
    [{ Status: 'Paiement accepté' }, 'paid'],
    [{ Status: 'On backorder (paid)' }, 'paid'],
    [{ Status: 'On backorder (not paid)' }, 'unpaid On backorder (not paid)'],
    [{ Status: 'Awaiting bank wire payment' }, 'unpaid Awaiting bank wire payment'],
    [{ Status: 'Payment error' }, 'unpaid Payment error'],
    [{ Status: 'Processing in progress' }, 'paid'],
  ])('%j is %s', async (columns, read) => {
    expect(await readOne(columns)).toBe(read);
  });

  it('a denial that its user names counts no more, and neither does any without the status', async () => {
    const columns = { Status: 'processing', 'Paid at': '' };
    expect(await readOne(columns, { alsoPaid: new Set([columnKey('Paid at: empty')]) })).toBe('paid');
    expect(await readOne(columns, { columns: { status: '' } })).toBe('paid');
  });

  it.each([
    ['Yes', 'paid'],
    ['No', 'unpaid Paid: No'],
  ])('a column of %s that is named as the status is read as one', async (text, read) => {
    expect(await readOne({ Status: 'pending', Paid: text }, { columns: { status: 'Paid' } })).toBe(read);
  });
});
