import type { HookDelivery } from '../../hooks/hookDelivery.js';
import type { ListedHook } from '../../hooks/sql/hook.js';
import { useConsole } from '../context.js';
import { Time } from '../parts/elements.js';
import { Form } from '../parts/form.js';
import { describeDelivery, hostOfHook } from './deliveryWords.js';
import { writeDeliveryPlace } from './webhookQuery.js';

interface DeliveryTableProps {
  deliveries: readonly HookDelivery[];
  hooks: readonly ListedHook[];
  /** True adds a button to each delivery that has it sent again; default: none. */
  hasResend?: boolean;
}

/** The list of deliveries with its headings. Answers, and so errors, may be hostile. */
export function DeliveryTable({ deliveries, hooks, hasResend = false }: DeliveryTableProps) {
  const { home, viewer } = useConsole();
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">Time</th>
          <th scope="col">Event</th>
          <th scope="col">To</th>
          <th scope="col">Outcome</th>
          {hasResend && <th scope="col">Again</th>}
        </tr>
      </thead>
      <tbody>
        {deliveries.map((delivery) => {
          const hook = hooks.find(({ id }) => id === delivery.hookId);
          const place = writeDeliveryPlace(delivery);
          return (
            <tr>
              <td>
                <Time at={delivery.createdAt} />
              </td>
              <th scope="row">
                <a href={`${home}/webhooks/${place}`}>{delivery.type}</a>
              </th>
              <td class="long">{hook && <bdi>{hostOfHook(hook)}</bdi>}</td>
              <td class="long">
                <bdi>{describeDelivery(delivery, hook, viewer)}</bdi>
              </td>
              {hasResend && (
                <td>
                  <Form action="/webhooks/resend" class="inline">
                    <input type="hidden" name="delivery" value={place} />
                    <button
                      type="submit"
                      class="outline secondary small"
                      aria-label={`Send again: ${delivery.type}`}
                    >
                      Send again
                    </button>
                  </Form>
                </td>
              )}
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
