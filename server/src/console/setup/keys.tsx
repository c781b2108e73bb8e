import { encodeId } from '../../values/ids.js';
import { useConsole } from '../context.js';
import { Choice, ModeChoice, Time } from '../parts/elements.js';
import { Action, Confirm, Form, NoForm } from '../parts/form.js';
import { Badge, Empty, PageHead, Panel } from '../parts/panel.js';
import { Table } from '../parts/table.js';
import type { SetupData } from './setupPage.js';

/** Number of browsers that are listed, the newest. */
const browsersAtMost = 100;

/** The page Keys and colleagues of Setup: API keys, and the browsers that are signed in. */
export function ApiKeys({ keys, browsers }: SetupData) {
  const { session } = useConsole();
  return (
    <>
      <PageHead title="Let backends and colleagues in" />
      <NoForm action="make keys and links" />
      <Panel
        id="keys"
        title="API keys"
        beside={<small>For your backend. Its reports take precedence over those of pages.</small>}
      >
        <Form action="/setup/keys" class="body line">
          <label class="grow">
            <span class="hidden">What the key is for</span>
            <input
              name="name"
              maxlength={255}
              placeholder="What it is for, such as Warehouse"
              autocomplete="off"
            />
          </label>
          <ModeChoice isTest={false} />
          <button type="submit">Make a key</button>
        </Form>
        {keys.length === 0 ? (
          <Empty>This team has no key.</Empty>
        ) : (
          <Table
            rows={keys}
            columns={[
              { head: 'Key', class: 'note', isName: true, cell: ({ lastFour }) => <code>…{lastFour}</code> },
              { head: 'For', class: 'title long', cell: ({ name }) => <bdi>{name}</bdi> },
              {
                head: 'Orders',
                class: 'mark',
                cell: ({ mode }) => <Badge tone={mode === 'test' ? 'warn' : 'good'}>{mode}</Badge>,
              },
              { head: 'Created', class: 'number wide', cell: ({ createdAt }) => <Time at={createdAt} /> },
              {
                head: 'Last used',
                class: 'number time',
                cell: ({ lastUsedAt }) => (lastUsedAt ? <Time at={lastUsedAt} /> : 'never'),
              },
              {
                head: '',
                class: 'number value',
                cell: ({ id, lastFour, revokedAt }) =>
                  revokedAt ? (
                    <Badge>revoked</Badge>
                  ) : (
                    <Confirm
                      to="/setup/keys/revoke"
                      fields={{ key: encodeId('key', id) }}
                      title="Revoke"
                      text="It stops working immediately. This can’t be undone."
                      label={`Revoke the key …${lastFour}`}
                    >
                      Revoke the key
                    </Confirm>
                  ),
              },
            ]}
          />
        )}
      </Panel>
      <Panel id="browsers" title="Colleagues" beside={<small>A link works once, within two days.</small>}>
        <Form action="/setup/keys/links" class="body line">
          <Choice
            name="may"
            label="The link gives"
            isBare
            chosen="look"
            choices={[
              ['look', 'A link to view only'],
              ['all', 'A link to change everything'],
            ]}
          />
          <button type="submit">Make a link</button>
        </Form>
        <Table
          rows={browsers.slice(0, browsersAtMost)}
          columns={[
            {
              head: 'Browser',
              class: 'title',
              isName: true,
              cell: ({ browser, hash }) => (
                <>
                  {browser ?? 'A browser'} {hash === session.hash && <Badge>this browser</Badge>}
                </>
              ),
            },
            {
              head: 'Access',
              class: 'note long',
              cell: ({ isReadOnly }) => (isReadOnly ? 'View only' : 'Change everything'),
            },
            { head: 'Signed in', class: 'number wide', cell: ({ createdAt }) => <Time at={createdAt} /> },
            { head: 'Last seen', class: 'number time', cell: ({ lastSeenAt }) => <Time at={lastSeenAt} /> },
            {
              head: '',
              class: 'number value',
              cell: ({ id, browser }) => (
                <Action
                  to="/setup/keys/sign-out"
                  fields={{ browser: encodeId('ses', id) }}
                  isSmall
                  label={`Sign out ${browser ?? 'a browser'}, ${encodeId('ses', id)}`}
                >
                  Sign out
                </Action>
              ),
            },
          ]}
        />
        <footer class="line">
          {browsers.length > browsersAtMost && <small>The newest {browsersAtMost} are listed.</small>}
          <Confirm
            to="/setup/keys/sign-out"
            fields={{ browser: 'all' }}
            title="Sign out all browsers"
            text="This one too, and links that nobody has used end. To come back, you need a new link from whoever runs your server."
          >
            Sign out all browsers and end unused links
          </Confirm>
        </footer>
      </Panel>
    </>
  );
}
