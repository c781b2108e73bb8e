import { expect, it } from 'vitest';
import { checkScript } from '../src/site/checks/checkScript.js';
import { findTags } from '../src/site/checks/findTags.js';
import { commandFixes } from '../src/site/checks/pageFixes.js';

it('a script without TLS, which browsers do not load on a page with TLS, is a fault', async () => {
  const publicUrl = 'http://orders.shop.example';
  const context = { publicUrl, fixes: commandFixes, fetchText: async () => ({ code: 'ENOTFOUND' }) };
  const messageOn = async (page: string) => {
    const [tag] = findTags(
      `<script src="${publicUrl}/sdk/track.js" data-team-id="team_a"></script>`,
      page,
    ).tags;
    return (await checkScript(tag!, page, context)).message;
  };
  const src = `${publicUrl}/sdk/track.js`;
  expect(await messageOn('https://shop.example/')).toBe(
    `${src} has no TLS: browsers do not load it on this page.`,
  );
  expect(await messageOn('http://shop.example/')).toBe(`${src} cannot be reached: ENOTFOUND.`);
});
