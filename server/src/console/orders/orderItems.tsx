import type { LineItem } from '@orderbeacon/sdk/contract';
import { useConsole } from '../context.js';
import { Scroll } from '../parts/elements.js';
import { formatNumber } from '../parts/formatNumber.js';
import type { WholeOrderRow } from '../sql/shownOrders.js';

/** The fields of a line item that have a column where an item has them. Others follow as they were sent. */
const itemColumns = ['sku', 'name', 'variant', 'category', 'quantity', 'price'] as const;

/** The line items of an order. Renders nothing where it has none. */
export function OrderItems({ items }: { items: LineItem[] | null }) {
  const { viewer } = useConsole();
  if (items === null || items.length === 0) return null;
  const columns = itemColumns.filter((name) => items.some((item) => item[name] !== undefined));
  const rests = items.map((item) =>
    Object.entries(item).filter(([name]) => !itemColumns.some((known) => known === name)),
  );
  const words = (value: string | number | undefined) =>
    typeof value === 'number' ? formatNumber(value, viewer) : value;
  const hasRest = rests.some((rest) => rest.length > 0);
  return (
    <section>
      <h2 id="items">Items</h2>
      <Scroll labelledBy="items">
        <table>
          <thead>
            <tr>
              {columns.map((name) => (
                <th scope="col">{name}</th>
              ))}
              {hasRest && <th scope="col">more</th>}
            </tr>
          </thead>
          <tbody>
            {items.map((item, at) => (
              <tr>
                {columns.map((name) => (
                  <td class="long">
                    <bdi>{words(item[name])}</bdi>
                  </td>
                ))}
                {hasRest && (
                  <td class="long">
                    {rests[at]!.length > 0 && <code>{JSON.stringify(Object.fromEntries(rests[at]!))}</code>}
                  </td>
                )}
              </tr>
            ))}
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
