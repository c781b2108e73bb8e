import { type ListedSigningKey, signingKeysAtMost } from '../../teams/sql/signingKey.js';
import { encodeId } from '../../values/ids.js';
import { useConsole } from '../context.js';
import { KeyCells, Scroll } from '../parts/elements.js';
import { FoldedForm, Form } from '../parts/form.js';
import { formatTime } from '../parts/formatTime.js';

interface SetupSigningProps {
  /** The oldest first, revoked ones included. */
  signingKeys: readonly ListedSigningKey[];
  requiresSignature: boolean;
}

/** The setup page's part on signed pages: the keys, and the switch that refuses all other pages. */
export function SetupSigning({ signingKeys, requiresSignature }: SetupSigningProps) {
  const { base } = useConsole();
  const live = signingKeys.filter(({ revokedAt }) => revokedAt === null);
  return (
    <section>
      <h2 id="signing">Signed pages</h2>
      <p>
        If your shop’s server makes the confirmation page, it can sign each order with a key. A signed order
        counts like one of your backend, because nobody else can make it up or change its amount.{' '}
        <a href={`${base}/docs/recipes/signed`}>How to sign</a>.
      </p>
      {signingKeys.length > 0 && <SigningKeys signingKeys={signingKeys} />}
      {live.length < signingKeysAtMost ? (
        <Form action="/console/signing-keys">
          <label>
            What the new key is for
            <input name="name" maxlength={255} autocomplete="off" />
          </label>
          <label>
            <input type="checkbox" name="test" value="yes" /> It signs orders of test domains only
          </label>
          <button type="submit">Make a signing key</button>
        </Form>
      ) : (
        <p>A team can have {signingKeysAtMost} live signing keys. Revoke one before you make another.</p>
      )}
      <Switch isOn={requiresSignature} hasKey={live.length > 0} />
    </section>
  );
}

function Switch({ isOn, hasKey }: { isOn: boolean; hasKey: boolean }) {
  if (!isOn && !hasKey) return <p>Orders that are not signed are accepted.</p>;
  return (
    <Form action="/console/signing-keys/require">
      <p>
        {isOn
          ? 'Orders of pages that are not signed are refused. They are kept among the refused reports.'
          : 'Orders that are not signed are accepted. Refuse them when all of your pages sign.'}
      </p>
      <input type="hidden" name="required" value={isOn ? 'no' : 'yes'} />
      <button type="submit" class="secondary">
        {isOn ? 'Accept orders that are not signed' : 'Refuse orders that are not signed'}
      </button>
    </Form>
  );
}

function SigningKeys({ signingKeys }: Pick<SetupSigningProps, 'signingKeys'>) {
  const { viewer } = useConsole();
  return (
    <Scroll labelledBy="signing">
      <table>
        <thead>
          <tr>
            <th scope="col">Key</th>
            <th scope="col">For</th>
            <th scope="col">It signs</th>
            <th scope="col">Created</th>
            <th scope="col">Revoked</th>
          </tr>
        </thead>
        <tbody>
          {signingKeys.map(({ id, name, isTest, lastFour, createdAt, revokedAt }) => (
            <tr>
              <KeyCells {...{ lastFour, name, isTest, createdAt }} />
              <td>
                {revokedAt ? (
                  formatTime(revokedAt, viewer)
                ) : (
                  <FoldedForm summary="Revoke">
                    <p>Orders that are signed with it are refused from then on. Nobody can undo this.</p>
                    <Form action="/console/signing-keys/revoke">
                      <input type="hidden" name="key" value={encodeId('sig', id)} />
                      <button type="submit" class="outline secondary small">
                        {`Revoke …${lastFour} for ever`}
                      </button>
                    </Form>
                  </FoldedForm>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}
