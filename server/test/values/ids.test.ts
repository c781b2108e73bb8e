import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isWellFormedKey, newKey } from '../../src/core/teams/keys.js';
import { decodeId, encodeId, newOrderNumber, newUuid, personUuid, timeOfUuid } from '../../src/values/ids.js';

describe('an id', () => {
  it('is the TypeID of the specification’s examples', () => {
    // github.com/jetify-com/typeid, spec/valid.yml
    expect(encodeId('prd', '00000000-0000-0000-0000-000000000000')).toBe('prd_00000000000000000000000000');
    expect(encodeId('prd', '01890a5d-ac96-774b-bcce-b302099a8057')).toBe('prd_01h455vb4pex5vsknk084sn02q');
    expect(encodeId('prd', 'ffffffff-ffff-ffff-ffff-ffffffffffff')).toBe('prd_7zzzzzzzzzzzzzzzzzzzzzzzzz');
  });

  it('decodes to the UUID that it encodes', () => {
    fc.assert(
      fc.property(fc.uuid(), (uuid) => {
        expect(decodeId('ord', encodeId('ord', uuid))).toBe(uuid);
      }),
    );
  });

  it.each([
    'ord_01h455vb4pex5vsknk084sn02',
    'ord_01h455vb4pex5vsknk084sn02qq',
    'ppl_01h455vb4pex5vsknk084sn02q',
    'ord_81h455vb4pex5vsknk084sn02q',
    'ord_01h455vb4pex5vsknk084sn02l',
    'ord_01H455VB4PEX5VSKNK084SN02Q',
    'ord-01h455vb4pex5vsknk084sn02q',
    'ord_01h455vb4pex5vsknk084sn02é',
    '',
  ])('that is none names nothing: %j', (text) => {
    expect(decodeId('ord', text)).toBe(null);
  });

  it('that is made later sorts later, and no two are equal', () => {
    const ids = Array.from({ length: 1000 }, (_, n) => newUuid(1_700_000_000_000 + n));
    expect([...ids].sort()).toEqual(ids);
    expect(new Set(Array.from({ length: 10_000 }, () => newUuid(0))).size).toBe(10_000);
    expect(ids.map(timeOfUuid)).toEqual(ids.map((_, n) => 1_700_000_000_000 + n));
    expect(ids[0]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  it('of a person depends on secret, team and email', () => {
    const id = personUuid('secret', 'team', 'a@b.example');
    expect(personUuid('secret', 'team', 'a@b.example')).toBe(id);
    expect(
      new Set([
        id,
        personUuid('other', 'team', 'a@b.example'),
        personUuid('secret', 'other', 'a@b.example'),
        personUuid('secret', 'team', 'b@b.example'),
      ]).size,
    ).toBe(4);
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab]/);
  });
});

it('an order number is ORD- and 13 characters of Crockford’s base32, which grow with time', () => {
  const now = Date.UTC(2026, 4, 1);
  const numbers = Array.from({ length: 1000 }, () => newOrderNumber(now));
  for (const number of numbers) expect(number).toMatch(/^ORD-[0-9A-HJKMNP-TV-Z]{13}$/);
  // Of a thousand among a million two are equal now and then.
  expect(new Set(numbers).size).toBeGreaterThan(990);
  const times = [0, 1, 31, 32, now - 1, now, now + 1, Date.UTC(2999, 0)].map((ms) =>
    newOrderNumber(ms).slice(0, 13),
  );
  expect(times).toEqual([...new Set(times)].sort());
});

it('a key with one character changed is malformed', () => {
  fc.assert(
    fc.property(fc.nat(35), fc.constantFrom('live', 'test'), (at, mode) => {
      const key = newKey(mode as 'live');
      expect(isWellFormedKey(key)).toBe(true);
      const index = key.length - 1 - at;
      const other = key[index] === 'a' ? 'b' : 'a';
      expect(isWellFormedKey(key.slice(0, index) + other + key.slice(index + 1))).toBe(false);
    }),
  );
});
