import type { Handler } from 'hono';
import { findLastOrderOf } from '../../orders/sql/placedOrder.js';
import type { PageFixes } from '../../site/checks/pageFixes.js';
import { listDomains } from '../../teams/sql/domain.js';
import { encodeId } from '../../values/ids.js';
import type { ConsoleContext, ConsoleDeps, ConsoleEnv } from '../context.js';
import { renderPage } from '../parts/layout.js';
import type { AddressChecks } from './checkAddress.js';
import { PageCheck } from './pageCheck.js';

/** Remedies in a merchant's words. The page links to the places that they name. */
const merchantFixes: PageFixes = {
  tag: () => 'Setup shows your team’s tag.',
  allow: (_team, host) => `Allow ${host} in Setup.`,
  team: 'Copy your team’s tag from Setup.',
  check: (url) => `check ${url}`,
  pinned: 'Setup shows the line of this version.',
  unreachable:
    'Open it in a private window. It must be on the public internet, without a password, and without a port in its address.',
  otherServer: 'Copy your team’s tag from Setup.',
  server: 'Ask whoever runs your server.',
};

/** `GET /console/check`: the form that checks a page. */
export function getPageCheck(): Handler<ConsoleEnv> {
  return (c) => render(c, '', null);
}

/**
 * `POST /console/check`: checks the page at an address as the doctor does, and shows what it found.
 * @throws ApiError `unavailable` when too many pages are being checked
 */
export function postPageCheck({ ask, checkAddress, publicUrl }: ConsoleDeps): Handler<ConsoleEnv> {
  return async function postPageCheck(c) {
    const uuid = c.var.session.teamId;
    const teamId = encodeId('team', uuid);
    const address = (c.var.form.address ?? '').trim();
    const result = await checkAddress(address, {
      fixes: merchantFixes,
      publicUrl: publicUrl(),
      teamId,
      // Of other teams nothing is told, not even that they exist.
      domainsOf: async (id) => (id === teamId ? ask(uuid, (sql) => listDomains(sql, uuid)) : undefined),
      lastOrderOf: async (id, host) =>
        id === teamId ? ask(uuid, (sql) => findLastOrderOf(sql, uuid, host)) : null,
    });
    c.status('hint' in result ? 400 : 200);
    return render(c, address, result);
  };
}

function render(c: ConsoleContext, address: string, result: AddressChecks | null) {
  return renderPage(c, <PageCheck address={address} result={result} />, {
    title: 'Check my page',
    here: 'Setup',
  });
}
