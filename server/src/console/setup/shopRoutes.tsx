import { Hono } from 'hono';
import { changeTeam } from '../../commands/changeTeam.js';
import { findTeam } from '../../core/teams/sql/team.js';
import { nameRule, readStorefrontUrl, readTeamName, storefrontRule } from '../../core/teams/teamFields.js';
import { isStoredCurrency } from '../../values/currency.js';
import type { ConsoleDeps } from '../consoleDeps.js';
import type { ConsoleContext, ConsoleEnv } from '../context.js';
import { setFlash } from '../parts/layout.js';
import { loadSetup, renderSetup } from './setupPage.js';
import { Shop, type ShopRefusal } from './shop.js';
import { chooseZone, findZone } from './zone.js';

/** Characters of a time zone that are read. No name of a zone is longer. */
const zoneCharacters = 64;
/** Characters of a name or address that are read. No valid one is longer. */
const characters = 2_048;

/** Routes of `…/setup/shop`: the shop's name, time zone and address, and the panels of features. */
export function shopRoutes({ parts, listeners }: ConsoleDeps): Hono<ConsoleEnv> {
  const toShop = (c: ConsoleContext) => c.redirect(c.var.link('/setup/shop'), 303);

  async function render(c: ConsoleContext, refusal: ShopRefusal | null) {
    const [setup, team, panels] = await Promise.all([
      loadSetup(c, parts),
      c.var.query(findTeam),
      parts.draw('belowShop', c),
    ]);
    return renderSetup(c, setup, {
      title: 'Shop',
      isRefused: refusal !== null,
      content: <Shop team={team!} refusal={refusal} panels={panels} />,
    });
  }

  return (
    new Hono<ConsoleEnv>()
      .get('/', (c) => render(c, null))
      // Changes the shop, by the rules of the command `team edit`, or shows which field is invalid.
      .post('/', async (c) => {
        const { query, form, session } = c.var;
        const text = (name: string) => (form[name] ?? '').slice(0, characters).toWellFormed().trim();
        const typed = {
          name: text('name'),
          zone: text('zone'),
          storefrontUrl: text('storefrontUrl'),
          // The form of an older page has no currency.
          currency: form.currency === undefined ? session.currency : text('currency').toUpperCase() || null,
        };
        const name = readTeamName(typed.name);
        if (name === null) return render(c, { field: 'name', typed, hint: `The name must be ${nameRule}.` });
        const storefrontUrl = readStorefrontUrl(typed.storefrontUrl);
        if (storefrontUrl === null)
          return render(c, {
            field: 'storefrontUrl',
            typed,
            hint: `The address must be ${storefrontRule}, such as https://shop.example.`,
          });
        const { currency } = typed;
        if (currency !== null && !isStoredCurrency(currency))
          return render(c, {
            field: 'currency',
            typed,
            hint: 'The currency must be a code of 3 to 5 letters, such as EUR.',
          });
        const zone = await query((sql) => findZone(sql, typed.zone.slice(0, zoneCharacters)));
        if (zone === null)
          return render(c, {
            field: 'zone',
            typed,
            hint: 'The server does not know this time zone. Write one like Europe/Berlin.',
          });
        await query((sql, teamId) =>
          changeTeam(sql, teamId, { name, storefrontUrl, zone, currency }, listeners),
        );
        setFlash(c, { words: `The shop is changed. All days and times are in the time zone ${zone}.` });
        return toShop(c);
      })
      // Takes the browser's time zone, if the shop has none.
      .post('/zone', async (c) => {
        const asked = (c.var.form.zone ?? '').slice(0, zoneCharacters);
        const zone = await c.var.query(chooseZone, asked, listeners);
        setFlash(
          c,
          zone === null
            ? { words: 'The server does not know this time zone. Choose another one here.', tone: 'bad' }
            : { words: `All days and times are in the time zone ${zone}.` },
        );
        return toShop(c);
      })
  );
}
