import type { Child } from 'hono/jsx';
import type { TeamRow } from '../../core/teams/sql/team.js';
import { limits } from '../../values/limits.js';
import { useConsole } from '../context.js';
import { plainText, refusedField } from '../parts/elements.js';
import { Form, NoForm } from '../parts/form.js';
import { PageHead, Panel } from '../parts/panel.js';
import { Facts } from '../parts/table.js';
import { ZoneOffer } from './zone.js';

type ShopFields = Pick<TeamRow, 'name' | 'zone' | 'storefrontUrl' | 'currency'>;

/** A refused change of the shop: the invalid field, the reason, and the values that were typed. */
export interface ShopRefusal {
  field: keyof ShopFields;
  hint: string;
  typed: ShopFields;
}

/** The page Shop of Setup. */
export function Shop({
  team,
  refusal,
  panels,
}: {
  team: ShopFields;
  refusal: ShopRefusal | null;
  panels: readonly Child[];
}) {
  const { session } = useConsole();
  const shown = refusal?.typed ?? team;
  const field = (name: keyof ShopFields, more: Record<string, string | number>) => (
    <input
      id={`shop-${name}`}
      name={name}
      value={shown[name] ?? ''}
      required={name !== 'currency'}
      {...more}
      {...plainText}
      {...(refusal?.field === name && refusedField('refusal'))}
    />
  );
  return (
    <>
      <PageHead title="The shop" />
      <ZoneOffer />
      <Panel id="shop" title="Name, time zone, currency and address">
        {session.isReadOnly ? (
          <div class="body">
            <Facts
              facts={{
                Name: team.name,
                'Time zone': team.zone,
                Currency: team.currency,
                Storefront: team.storefrontUrl,
              }}
            />
            <NoForm action="change the shop" />
          </div>
        ) : (
          <Form action="/setup/shop" class="body stack">
            {refusal && (
              <p id="refusal" role="alert">
                Not changed. {refusal.hint}
              </p>
            )}
            <label for="shop-name">
              Name
              {field('name', { maxlength: limits.text })}
            </label>
            <label for="shop-zone">
              Time zone
              {field('zone', { list: 'zones', maxlength: 64 })}
              <small>
                All days and times of the console are in it. Figures are added up again where it changes.
              </small>
            </label>
            <datalist id="zones">
              {Intl.supportedValuesOf('timeZone').map((zone) => (
                <option value={zone}></option>
              ))}
            </datalist>
            <label for="shop-currency">
              Currency
              {field('currency', { maxlength: 5, placeholder: 'EUR' })}
              <small>
                The pieces to paste and the forms begin with it. A report that names no currency still counts
                as USD.
              </small>
            </label>
            <label for="shop-storefrontUrl">
              Address of the storefront
              {field('storefrontUrl', { type: 'url', maxlength: 2_048 })}
              <small>Links to products and to buying them begin with it.</small>
            </label>
            <p>
              <button type="submit">Save</button>
            </p>
          </Form>
        )}
      </Panel>
      {panels}
    </>
  );
}
