import type { Child } from 'hono/jsx';
import { useConsole } from '../../console/context.js';
import { NoForm } from '../../console/parts/form.js';
import { Badge, Copy, PageHead, Panel, type Tone } from '../../console/parts/panel.js';
import { Tile } from '../../console/parts/tile.js';
import { Timeline } from '../../console/parts/timeline.js';
import type { DoneSteps } from '../../console/sql/doneSteps.js';
import { confirmationHtml, scriptHtml } from '../../core/script/tag.js';
import { encodeId } from '../../values/ids.js';
import type { OverviewData } from './loadOverview.js';

/** The overview of a mode without orders: three steps, which show when they are done, and what happens next. */
export function Welcome({
  done,
  publicUrl,
  confirmation,
}: Pick<OverviewData, 'publicUrl' | 'confirmation'> & { done: DoneSteps }) {
  const { link, session, isTest } = useConsole();
  const tag = scriptHtml({ publicUrl, teamId: encodeId('team', session.teamId) });
  const steps: { title: string; isDone: boolean; tone?: Tone; content: Child }[] = [
    {
      title: isTest ? 'Allow a domain for tests' : 'Allow the domain of your shop',
      isDone: done.hasDomain,
      tone: 'warn',
      content: isTest ? (
        <p>
          Orders of <code>localhost</code>, and of each domain that you allow for tests, are test orders.{' '}
          <a href={link('/setup/domains')}>Allow a domain</a>
        </p>
      ) : (
        <p>
          Only your own pages can report orders. <a href={link('/setup/domains')}>Allow your domain</a>
        </p>
      ),
    },
    {
      title: 'Put the tag on your pages',
      isDone: done.hasTag,
      tone: 'warn',
      content: (
        <div class="stack">
          <p>
            For WooCommerce, Shopify and tag managers there are{' '}
            <a href={link('/setup/install')}>steps for your platform</a>. In any other shop paste this into
            the head of every page. It learns where a buyer came from.
          </p>
          <div class="panel">
            <Copy title="On every page" name="the piece for every page">
              {tag}
            </Copy>
          </div>
          <p>
            And this into the order confirmation page. Your shop fills in the line that begins with{' '}
            <code>track</code>.
          </p>
          <div class="panel">
            <Copy title="On the confirmation page" name="the piece for the confirmation page">
              {confirmationHtml(session.currency ?? undefined)}
            </Copy>
          </div>
        </div>
      ),
    },
    {
      title: isTest ? 'Place a test order' : 'Place a first order',
      isDone: done.hasOrder,
      content: isTest ? (
        <p>Place an order on such a page. It appears here within a second, refused or not.</p>
      ) : (
        <p>
          Buy something in your shop. It appears here within a second, refused or not. Orders of localhost are
          tests, and stand under <a href={link('', { mode: 'test' })}>Test</a>.
        </p>
      ),
    },
  ];
  const left = steps.filter(({ isDone }) => !isDone).length;
  return (
    <div class="stack">
      <PageHead
        title={`${isTest ? 'Your first test order' : 'Welcome. Your first order'} is ${left === 1 ? 'one step' : `${left} steps`} away.`}
      />
      <NoForm action="take these steps" />
      <div class="split">
        <Panel label="Steps to the first order">
          <Timeline
            steps={steps.map(({ title, isDone, tone, content }) => ({
              title,
              tone: isDone ? 'good' : tone,
              badge: <Badge tone={isDone ? 'good' : undefined}>{isDone ? 'Done' : 'To do'}</Badge>,
              content: isDone ? null : content,
            }))}
          />
          <footer class="line">
            <small id="live" role="status">
              Reload this page to see new orders.
            </small>
            {!session.isReadOnly && (
              <a class="push" href={link('/setup/keys')}>
                Let a developer in
              </a>
            )}
          </footer>
        </Panel>
        <Panel id="about" title="What happens to an order">
          <Timeline
            steps={[
              {
                title: 'The buyer’s page reports it',
                content:
                  'Also after a closed tab or a dead network: the browser keeps it until it is stored.',
              },
              {
                title: 'It is stored once',
                content: 'A reloaded page, a second device or a repeated webhook never counts twice.',
              },
              ...(confirmation.length > 0
                ? [{ title: 'Your shop system confirms it', content: <>{confirmation}</> }]
                : []),
              {
                title: 'You see where it came from',
                content: 'Orders and money by source, medium and campaign.',
              },
            ]}
          />
        </Panel>
      </div>
      <Panel label="What this page will show">
        <div class="tiles">
          <Tile name="Orders" figure="–" about="Each counts once" />
          <Tile name="Gross" figure="–" about="What buyers paid" />
          <Tile name="Refunded" figure="–" about="As your shop reports it" />
          <Tile name="Net" figure="–" about="Gross less refunds" />
          <Tile name="Average order" figure="–" about="In each currency" />
          <Tile name="Confirmed" figure="–" about="By your shop itself" />
        </div>
      </Panel>
    </div>
  );
}
