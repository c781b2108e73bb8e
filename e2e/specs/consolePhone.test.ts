// @module-tag all
import { expect, it } from 'vitest';
import { newTeam, setUpPeople } from '../harness/console.ts';
import { sharedOrderbeacon } from '../harness/shared.ts';

const people = setUpPeople();
const widths = [320, 390, 768, 1024, 1280];

it.each(['JPY', 'EUR', 'USDC'])(
  'large money in %s stays in one line of its tile, at any width',
  async (currency) => {
    const orderbeacon = await sharedOrderbeacon();
    const { teamId, report } = await newTeam(orderbeacon);
    await report({ orderId: 'large', amount: 1_234_567.89, currency });
    const merchant = await people.newMerchant(orderbeacon, teamId, '', { locale: 'de-DE' });
    for (const width of widths) {
      await merchant.setViewportSize({ width, height: 800 });
      const broken = await merchant.locator('.tile > strong').evaluateAll((figures) =>
        figures.flatMap((figure) => {
          const range = document.createRange();
          range.selectNodeContents(figure);
          const lines = new Set([...range.getClientRects()].map(({ bottom }) => Math.round(bottom)));
          const isWider = range.getBoundingClientRect().right > figure.getBoundingClientRect().right + 1;
          const isSmall = parseFloat(getComputedStyle(figure).fontSize) < 10;
          return lines.size > 1 || isWider || isSmall ? [figure.textContent] : [];
        }),
      );
      expect([width, broken]).toEqual([width, []]);
    }
  },
);

it('the filters of orders are one row on a phone, of which each is reached', async () => {
  const orderbeacon = await sharedOrderbeacon();
  const { teamId, report } = await newTeam(orderbeacon);
  await report({ orderId: 'o-1' });
  const merchant = await people.newMerchant(orderbeacon, teamId, '/orders');
  for (const width of [320, 390]) {
    await merchant.setViewportSize({ width, height: 800 });
    expect((await merchant.locator('.filters').boundingBox())!.height).toBeLessThan(60);
    expect(await merchant.evaluate('document.documentElement.scrollWidth')).toBe(width);
  }
  await merchant.locator('.filters [name=id]').selectOption('Without an id');
  await merchant.waitForURL(/id=none/);
});
