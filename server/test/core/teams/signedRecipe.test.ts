import { execFileSync, spawnSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { exampleOf, readDocument } from '../../kit/examples.js';

const recipe = 'sdk/recipes/signed.md';
const example = (name: string) => exampleOf(recipe, name);
const page = example('page');
const read = (name: string) => new RegExp(`${name}: '([^']+)'`).exec(page)![1]!;
const values = {
  team: /team_\w{26}/.exec(readDocument(recipe))![0],
  order_id: read('orderId'),
  email: read('email'),
  amount: read('amount'),
  currency: read('currency'),
  key: /ob_sign_\w{36}/.exec(readDocument(recipe))![0],
};
const assignments = (prefix: string, end: string, rename = (name: string) => name) =>
  Object.entries(values).map(([name, value]) => `${prefix}${rename(name)} = ${JSON.stringify(value)}${end}`);
const has = (command: string) => spawnSync(command, ['--version']).status === 0;

/** Runs the Liquid of the recipe: `capture`, `assign`, `append` and Shopify's `hmac_sha256`. */
function runLiquid(template: string): string {
  const variables: Record<string, string> = { ...values };
  const tags = template.matchAll(
    /\{% capture (\w+) %\}([\s\S]*?)\{% endcapture %\}|\{% assign (\w+) = (\w+) \| (.+) %\}/g,
  );
  for (const [, captured, text, assigned, first, filters] of tags) {
    if (captured) variables[captured] = text!;
    if (!assigned) continue;
    variables[assigned] = filters!.split(' | ').reduce((value, filter) => {
      const [name, argument] = filter.split(': ') as [string, string];
      if (name === 'append') return value + variables[argument];
      expect(name).toBe('hmac_sha256');
      return createHmac('sha256', variables[argument]!).update(value).digest('hex');
    }, variables[first!]!);
  }
  return variables.signature!;
}

describe('the recipe for signed pages makes the signature that it shows', () => {
  const shown = read('signature');

  it('as the server computes it', () => {
    const { team, order_id, email, amount, currency, key } = values;
    const signed = [team, order_id, email, amount, currency].join('\n');
    expect(createHmac('sha256', key).update(signed).digest('hex')).toBe(shown);
  });

  it('in Node', () => {
    const names = assignments('const ', ';', (name) => name.replace('order_id', 'orderId'));
    const code = [
      `import { createHmac } from 'node:crypto';`,
      ...names,
      example('node'),
      'console.log(signature)',
    ];
    const printed = execFileSync('node', ['--input-type=module', '-e', code.join('\n')]);
    expect(String(printed).trim()).toBe(shown);
  });

  it.skipIf(!has('python3'))('in Python', { tags: ['all'] }, () => {
    const code = ['import hmac', ...assignments('', ''), example('python'), 'print(signature)'];
    expect(String(execFileSync('python3', ['-c', code.join('\n')])).trim()).toBe(shown);
  });

  it.skipIf(!has('php'))('in PHP', { tags: ['all'] }, () => {
    const code = [...assignments('$', ';'), example('php'), 'echo $signature;'];
    expect(String(execFileSync('php', ['-r', code.join('\n')])).trim()).toBe(shown);
  });

  it('in Liquid', () => {
    expect(runLiquid(example('liquid'))).toBe(shown);
  });
});
