import type { LineItem } from '@orderbeacon/sdk/contract';
import { Scroll } from './elements.js';
import type { WholeOrderRow } from './sql/shownOrders.js';

/** The fields of a line item that have a column. Others follow as they were sent. */
const itemColumns = ['sku', 'name', 'variant', 'category', 'quantity', 'price'] as const;

/** The line items of an order. Renders nothing where it has none. */
export function OrderItems({ items }: { items: LineItem[] | null }) {
  if (items === null || items.length === 0) return null;
  return (
    <section>
      <h2 id="items">Items</h2>
      <Scroll labelledBy="items">
        <table>
          <thead>
            <tr>
              {itemColumns.map((name) => (
                <th scope="col">{name}</th>
              ))}
              <th scope="col">more</th>
            </tr>
          </thead>
          <tbody>
            {items.map((item) => {
              const rest = Object.entries(item).filter(
                ([name]) => !itemColumns.some((known) => known === name),
              );
              return (
                <tr>
                  {itemColumns.map((name) => (
                    <td class="long">
                      <bdi>{item[name]}</bdi>
                    </td>
                  ))}
                  <td class="long">
                    {rest.length > 0 && <code>{JSON.stringify(Object.fromEntries(rest))}</code>}
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </Scroll>
    </section>
  );
}

/** Fields of an order that the contract does not name, as they were sent. */
export function OtherFields({ fields }: { fields: WholeOrderRow['extra'] }) {
  if (fields === null) return null;
  return (
    <section>
      <h2>Other fields</h2>
      <dl class="fields">
        {Object.entries(fields).map(([name, value]) => (
          <div>
            <dt class="long">
              <bdi>{name}</bdi>
            </dt>
            <dd class="long">
              <bdi>{typeof value === 'string' ? value : JSON.stringify(value)}</bdi>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
