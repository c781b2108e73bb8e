import fc from 'fast-check';

/** A team that requests can report for. */
export interface FuzzTeam {
  uuid: string;
  teamId: string;
  key: string;
  sequenceId: string;
}

/** Values that requests need to reach the server, without those of teams. */
export interface FuzzTargets {
  host: string;
  metricsToken: string;
  sdkVersion: string;
}

/** One request, down to its bytes. */
export interface FuzzRequest {
  method: string;
  /** The target in the request line. */
  target: string;
  headers: [name: string, value: string][];
  body: Buffer | null;
  /** `sound` uses Node's HTTP client and keeps the connection. The others are raw bytes. */
  framing: 'sound' | 'raw' | 'short' | 'long' | 'doubleLength' | 'lengthAndChunks' | 'badChunk' | 'twice';
}

/** Splits a list at its spaces and lines. */
const words = (text: string) => text.trim().split(/\s+/);

const nul = String.fromCharCode(0);
const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;

const oddText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom(
    '',
    ' ',
    nul,
    `a${nul}b`,
    'a\x1fb',
    '\x1e',
    '\ud800',
    'x\udc00y',
    '\u202e\u2066',
    '\r\nX-Forged: 1',
    "'; drop table fuzzed; --",
    '$1::int',
    '%s%n%00',
    '../../../etc/passwd',
    '__proto__',
    'constructor',
    'İ'.repeat(130),
    'ß'.repeat(255),
    '💸'.repeat(128),
    'x'.repeat(256),
    'x'.repeat(70_000),
  ),
);

/** JSON texts, and texts that only look like it. */
const oddJson = fc.oneof(
  fc.json({ maxDepth: 4 }),
  oddText.map((text) => JSON.stringify(text)),
  fc.double().map(String),
  fc.constantFrom(
    ...['NaN', '-Infinity', '1e999', '-1e999', '1e-999', '-0', '01', '.5', '1.', '0x10', '+1', '1e', "'a'"],
    ...['123456789012345678901234567890', '0.1000000000000000055511151231257827', '1e308', '5e-324'],
    ...[
      '"\\ud800"',
      '"\\u0000"',
      '"\\x41"',
      '"open',
      'null',
      'true',
      'undefined',
      '{}',
      '[]',
      '[{}]',
      '{"a":1,}',
    ],
    ...[
      deep(17),
      deep(5_000),
      `{"__proto__":{"isNew":true},"constructor":{"prototype":1}}`,
      '[null,{"price":"1"}]',
    ],
    `[${'{},'.repeat(500)}{}]`,
    `[{"deep":${deep(30)}}]`,
    `[{"note":"\\u0000"}]`,
    `[{"\\ud800":1}]`,
  ),
);

/** The fields of a JSON object. Name and value are JSON texts, so that they can be doubled and broken. */
type Fields = [name: string, value: string][];

const fieldsOf = (body: object): Fields =>
  Object.entries(body)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => [JSON.stringify(name), JSON.stringify(value)]);

const changeFields: fc.Arbitrary<(fields: Fields) => Fields> = fc.oneof(
  fc.tuple(fc.nat(20), oddJson).map(
    ([at, value]) =>
      (fields: Fields) =>
        fields.map(([name, old], index): Fields[number] => [
          name,
          index === at % fields.length ? value : old,
        ]),
  ),
  fc.nat(20).map((at) => (fields: Fields) => fields.filter((_, index) => index !== at % fields.length)),
  fc.tuple(fc.nat(20), oddJson).map(
    ([at, value]) =>
      (fields: Fields): Fields =>
        fields.length > 0 ? [...fields, [fields[at % fields.length]![0], value]] : fields,
  ),
  fc
    .tuple(
      fc.oneof(fc.constantFrom('__proto__', 'constructor', 'toString', 'isTest', 'id'), oddText),
      oddJson,
    )
    .map(
      ([name, value]) =>
        (fields: Fields): Fields => [...fields, [JSON.stringify(name), value]],
    ),
);

const changeBytes: fc.Arbitrary<(bytes: Buffer) => Buffer> = fc.oneof(
  fc.nat(400).map((at) => (bytes: Buffer) => bytes.subarray(0, at % (bytes.length + 1))),
  fc
    .tuple(fc.nat(400), fc.uint8Array({ minLength: 1, maxLength: 8 }))
    .map(([place, more]) => (bytes: Buffer) => {
      const at = place % (bytes.length + 1);
      return Buffer.concat([bytes.subarray(0, at), more, bytes.subarray(at)]);
    }),
  fc.constantFrom(
    (bytes: Buffer) => Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), bytes]),
    (bytes: Buffer) => Buffer.from(bytes.toString(), 'utf16le'),
    (bytes: Buffer) => Buffer.concat([Buffer.alloc(Math.max(0, 65_536 - bytes.length), ' '), bytes]),
    (bytes: Buffer) => Buffer.concat([Buffer.alloc(65_536, ' '), bytes]),
    (bytes: Buffer) => Buffer.concat([Buffer.from('['), bytes, Buffer.from(']')]),
    (bytes: Buffer) => Buffer.concat([bytes, bytes]),
    (bytes: Buffer) => Buffer.from(JSON.stringify(bytes.toString())),
    (bytes: Buffer) => Buffer.from(`a=${encodeURIComponent(bytes.toString())}`),
  ),
  oddJson.map((text) => () => Buffer.from(text)),
);

const oddTarget = fc.oneof(
  fc.webPath().map((path) => path || '/'),
  oddText.map((text) => `/svc-api/v1/products/${encodeURIComponent(text.toWellFormed())}`),
  fc.constantFrom(
    ...words(`
      / // /% /%00 /%zz /%ff%fe /..%2f..%2fetc/passwd /svc-api/v1/products/ /svc-api
      /svc-api/v1/products/%ed%a0%80 /svc-api/v1/products/%00 /svc-api/v1/products/a%2fb /docs/%2e%2e
      /svc-api/v1/orders/ /svc-api/v1//orders /svc-api/v1/ORDERS /svc-api/v1/orders?x=% /?a[b]=c#d
      /docs/..%5c.. /docs/package.json /docs/__proto__ /sdk/__proto__ /sdk/constructor/track.js
      /\\evil.example //evil.example/healthz http://evil.example/healthz ftp://x/ healthz *
      /%C0%AE%C0%AE/ /svc-api/v1/products/%F0%9F%92%B8`),
    `/${'a'.repeat(9_000)}`,
    `/?${'b='.repeat(5_000)}`,
  ),
);

const oddMethod = fc.constantFrom(
  ...words('GET HEAD POST PUT PATCH DELETE OPTIONS TRACE PROPFIND PURGE SEARCH LINK'),
);

/** Methods that Node's parser does not know, or handles itself. */
const rawMethod = fc.constantFrom('CONNECT', 'get', 'FOO', 'PRI', '', 'GET\tPOST', '💸');

const oddHeader: fc.Arbitrary<[string, string]> = fc.oneof(
  fc.tuple(
    fc.constantFrom(
      ...words(`
        Origin Referer Authorization Content-Type Content-Encoding Idempotency-Key X-Request-Id
        X-Forwarded-For Forwarded If-None-Match Accept-Encoding Accept Cookie Range X-Odd`),
    ),
    oddText.map((text) => text.slice(0, 2_000)),
  ),
  fc.constantFrom<[string, string]>(
    ['Host', 'evil.example'],
    ['Host', 'a b'],
    ['Host', 'user:secret@shop.example'],
    ['Host', '[::1'],
    ['Host', 'xn--'],
    ['Origin', 'null'],
    ['Origin', 'https://shop.example.'],
    ['Origin', 'https://SHOP.example:8443/path'],
    ['Origin', 'https://shop.example, https://evil.example'],
    ['Origin', 'javascript:alert(1)'],
    ['Referer', 'https://%'],
    ['Content-Type', 'application/json; charset=utf-7'],
    ['Content-Type', 'multipart/form-data; boundary='],
    ['Content-Type', 'text/plain'],
    ['Content-Encoding', 'gzip'],
    ['Authorization', 'Bearer'],
    ['Authorization', 'Basic Og=='],
    ['Authorization', `Bearer ob_live_${'0'.repeat(36)}`],
    ['Idempotency-Key', 'evt_1'],
    ['Expect', '100-continue'],
    ['Expect', 'a-miracle'],
    ['Upgrade', 'websocket'],
    ['Connection', 'Upgrade'],
    ['If-None-Match', '*'],
    ['If-None-Match', `W/"a", "${'b'.repeat(3_000)}"`],
    ['X-Forwarded-For', ','.repeat(3_000)],
    ['X-Forwarded-For', '1::2::3, ::ffff:1.2.3.4, fe80::1%eth0'],
    ['Accept-Encoding', 'gzip;q=0, br;q=nan, *'],
  ),
);

/** Makes requests of one of the teams that succeed unchanged. */
function valid(team: FuzzTeam, targets: FuzzTargets) {
  const json: [string, string] = ['Content-Type', 'application/json'];
  const byKey: [string, string] = ['Authorization', `Bearer ${team.key}`];
  const byPage: [string, string] = ['Origin', 'https://shop.example'];
  const number = fc.nat(1_000);
  const order = fc
    .record({
      number,
      buyer: fc.nat(40),
      amount: fc.double({ min: 0, max: 1e6, noNaN: true }),
      form: fc.nat(7),
    })
    .map(({ number, buyer, amount, form }) =>
      fieldsOf({
        teamId: team.teamId,
        email: `fuzzed-buyer-${buyer}@mail.example`,
        amount,
        orderId: form & 1 ? `o-${number}` : undefined,
        reportId: form & 2 ? `r-${number}` : undefined,
        name: form & 4 ? 'Ann Fuzzed-Buyer' : undefined,
        visitorId: form & 4 ? `v-${number}` : undefined,
        currency: 'eur',
        source: 'stripe',
        items: form === 7 ? [{ sku: 'TEE', quantity: 2, price: 1.5, colour: { code: [1, 2] } }] : undefined,
      }),
    );
  const enrollment = fc
    .nat(40)
    .map((buyer) => fieldsOf({ email: `fuzzed-buyer-${buyer}@mail.example`, sequenceId: team.sequenceId }));
  const get = (target: string, ...headers: [string, string][]) =>
    fc.constant({ method: 'GET', target, headers, fields: null as Fields | null });
  const post = (target: string, fields: fc.Arbitrary<Fields>, ...headers: [string, string][]) =>
    fields.map((fields) => ({
      method: 'POST',
      target,
      headers: [json, ...headers],
      fields: fields as Fields | null,
    }));

  return fc.oneof(
    { weight: 10, arbitrary: post('/svc-api/v1/orders', order, byPage) },
    { weight: 6, arbitrary: post('/svc-api/v1/orders', order, byKey) },
    { weight: 4, arbitrary: post('/svc-api/v1/sequences/enroll', enrollment, byKey) },
    { weight: 3, arbitrary: get('/svc-api/v1/products/t-shirt', byKey) },
    { weight: 2, arbitrary: get('/metrics', ['Authorization', `Bearer ${targets.metricsToken}`]) },
    ...words(`
      /healthz /readyz /demo /openapi.json /docs /docs/assets/swagger-ui.css /docs/errors/not_found
      /docs/errors.md /llms.txt /sdk/track.js`).map((target) => ({ weight: 1, arbitrary: get(target) })),
    { weight: 1, arbitrary: get(`/sdk/${targets.sdkVersion}/track.js`, ['Accept-Encoding', 'br, gzip']) },
    { weight: 1, arbitrary: get('/nothing/here') },
  );
}

/** Makes null, except once in `times`. */
const onceIn = <T>(times: number, arbitrary: fc.Arbitrary<T>) =>
  fc.oneof({ weight: times - 1, arbitrary: fc.constant(null) }, { weight: 1, arbitrary });

/**
 * Makes requests for all routes, with no, one or several faults. Requests of sound framing are of `teams.sound`, others of
 * `teams.raw`: if a connection breaks, the answer to an order that was stored may be lost.
 */
export function fuzzRequest(
  teams: { sound: FuzzTeam; raw: FuzzTeam },
  targets: FuzzTargets,
): fc.Arbitrary<FuzzRequest> {
  const changes = fc.record({
    fieldChanges: onceIn(2, fc.array(changeFields, { minLength: 1, maxLength: 3 })),
    byteChange: onceIn(5, changeBytes),
    target: onceIn(12, oddTarget),
    method: onceIn(12, oddMethod),
    headers: onceIn(4, fc.array(oddHeader, { minLength: 1, maxLength: 3 })),
    dropsHeaders: fc.nat(14).map((n) => n === 0),
    isChunked: fc.nat(4).map((n) => n === 0),
  });

  const build = (request: {
    method: string;
    target: string;
    headers: [string, string][];
    fields: Fields | null;
  }) =>
    changes.map((change) => {
      const changed =
        request.fields && (change.fieldChanges ?? []).reduce((all, apply) => apply(all), request.fields);
      const text = changed && `{${changed.map(([name, value]) => `${name}:${value}`).join(',')}}`;
      const bytes = text === null ? null : Buffer.from(text);
      const headers = [...(change.dropsHeaders ? [] : request.headers), ...(change.headers ?? [])];
      if (change.isChunked && bytes) headers.push(['Transfer-Encoding', 'chunked']);
      return {
        method: change.method ?? request.method,
        target: change.target ?? request.target,
        headers,
        body: bytes && change.byteChange ? change.byteChange(bytes) : bytes,
      };
    });

  const sound = valid(teams.sound, targets)
    .chain(build)
    .map(
      (request): FuzzRequest => ({
        ...request,
        framing: 'sound',
        // Node's client refuses some texts, and over 16 KiB. Only raw requests have those.
        target: request.target
          .slice(0, 6_000)
          .replace(/[^\x21-\xff]/g, '_')
          .replace(/^(?!\/)/, '/'),
        headers: request.headers.map(([name, value]) => [
          name,
          latin1(value).replace(/[^\t\x20-\x7e\x80-\xff]/g, '_'),
        ]),
      }),
    );

  const raw = fc
    .record({
      request: valid(teams.raw, targets).chain(build),
      framing: fc.constantFrom(
        ...(words(
          'raw raw raw short long doubleLength lengthAndChunks badChunk twice',
        ) as FuzzRequest['framing'][]),
      ),
      method: onceIn(9, rawMethod),
      keepsHost: fc.nat(9).map((n) => n > 0),
    })
    .map(
      ({ request, framing, method, keepsHost }): FuzzRequest => ({
        ...request,
        framing,
        // If a HEAD is refused before it is parsed, the answer has a body, which no client could distinguish from the next answer.
        method: method ?? request.method.replace('HEAD', 'GET'),
        headers: keepsHost ? [['Host', targets.host], ...request.headers] : request.headers,
      }),
    );

  return fc.oneof({ weight: 3, arbitrary: sound }, { weight: 1, arbitrary: raw });
}

const latin1 = (text: string) => Buffer.from(text).toString('latin1');
