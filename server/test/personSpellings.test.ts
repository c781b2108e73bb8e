import { expect } from 'vitest';
import { test } from './shop.js';

const spelt: [string, string[]][] = [
  [
    'ann@buyer.example',
    [
      ...['ann%40buyer.example', 'ann%2540buyer.example', 'ann\\u0040buyer.example', 'ann&#64;buyer.example'],
      ...['ann&commat;buyer.example', '.ann@buyer.example', 'ann@buyer.example.', '-ann@buyer.example-'],
      ...[
        '100%ann@buyer.example',
        `'ann@buyer.example'`,
        '\\"ann@buyer.example\\"',
        '\u00a0ann@buyer.example\u00a0',
      ],
      ...[
        '\\u00a0ann@buyer.example',
        '&nbsp;ann@buyer.example',
        'ANN@BUYER.EXAMPLE',
        '\\u003cann@buyer.example>',
      ],
    ],
  ],
  [
    'ann@xn--bcher-kva.example',
    ['ann@bücher.example', 'ann@B%C3%9Ccher.example', 'ann@b\\u00fccher.example'],
  ],
  ['ann@bücher.example', ['ann@xn--bcher-kva.example', 'ann%40xn--bcher-kva.example']],
];
const others = [
  'joann@buyer.example',
  'ann@buyer.example.org',
  'ann@buyer.example-shop.de',
  'ann+1@buyer.example',
];

test.for(spelt)(
  '%s is exported and erased from kept bodies, however they spell it',
  async ([email, spellings], { shop }) => {
    const bodyWith = (text: string, n: number) =>
      `{"teamId":"${shop.teamId}","orderId":"o-${n}","amount":1,"email":["bob, or see /?to=${text}"]}`;
    const bodies = spellings.map(bodyWith);
    for (const body of [...bodies, ...others.map((text, n) => bodyWith(text, 100 + n))])
      await shop.report(body);
    expect(await shop.refused()).toHaveLength(bodies.length + others.length);

    const person = async (command: string) =>
      JSON.parse((await shop.command('person', command, '--email', email, '--json')).stdout);
    const exported = await person('export');
    expect(exported.refused.map(({ body }: { body: string }) => body).sort()).toEqual(bodies.toSorted());
    expect(await person('erase')).toMatchObject({ refused: bodies.length });
    const left = (await shop.refused()).map(({ orderId }) => orderId);
    expect(left.sort()).toEqual(others.map((_, n) => `o-${100 + n}`));
  },
);
