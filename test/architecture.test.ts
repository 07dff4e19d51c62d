import { describe, expect, test } from '@jest/globals';
import { operations } from '../functions/operations.ts';
import { catalogue, type ErrorKey } from '../shared/errors/catalogue.ts';
import { errorsOf } from '../shared/http/errors-of.ts';
import {
  codeLines,
  declarationsOf,
  type Import,
  reachableFrom,
  type SourceFile,
  sourceFiles,
  sourceOf,
} from './support/tools/source.ts';

/** The rules of the house, kept by reading its source. */

interface Rule {
  /** Files whose path begins so; the longest beginning decides. */
  readonly of: string;
  /** Beginnings of paths and packages. */
  readonly may: readonly string[];
  /** What may be named in types besides: nothing of it is there when the code runs. */
  readonly types?: readonly string[];
}

const ANYTHING = [''];
const PLAIN_RULES = ['shared/domain/basis/limits.ts', 'shared/domain/basis/time.ts'];

/** Who may import whom. Nothing else may import functions/: operations are reached through the table. */
const RULES: readonly Rule[] = [
  { of: 'functions/operations.ts', may: ['functions/rows/'], types: ['shared/operation.ts'] },
  { of: 'functions/rows/', may: ['functions/rows/', 'shared/schemas/'], types: ['shared/operation.ts'] },
  {
    of: 'functions/',
    may: [
      ...['functions/rows/', 'shared/domain/', 'shared/tokens/', 'shared/templates/', 'shared/providers/'],
      ...['shared/errors/', 'shared/aws/lambda.ts', 'shared/http/cookies.ts'],
    ],
    types: ['shared/'],
  },
  {
    of: 'functions/fallback.ts',
    may: [
      ...['functions/operations.ts', 'functions/rows/', 'shared/errors/service-error.ts'],
      ...['shared/aws/lambda.ts', 'shared/http/path.ts'],
    ],
    types: ['shared/'],
  },
  {
    of: 'shared/http/',
    may: [
      'shared/http/',
      'shared/errors/',
      'shared/tokens/',
      'node:',
      'shared/domain/rate-limits/call-window.ts',
      'shared/domain/basis/edge.ts',
      'shared/domain/oauth/permissions.ts',
      'shared/http/metrics.ts',
      ...PLAIN_RULES,
    ],
    types: ['shared/operation.ts', 'shared/ports/', 'aws-lambda'],
  },
  {
    of: 'shared/http/serve.ts',
    may: ['shared/http/', 'shared/errors/', '@middy/core', 'node:'],
    types: ANYTHING,
  },
  {
    of: 'shared/http/parse.ts',
    may: ['shared/http/', 'shared/errors/', 'valibot', ...PLAIN_RULES],
    types: ANYTHING,
  },
  {
    of: 'shared/aws/lambda.ts',
    may: ['shared/aws/create-ports.ts', 'shared/http/serve.ts'],
    types: ['shared/operation.ts'],
  },
  {
    of: 'shared/providers/',
    may: [
      'shared/providers/',
      'shared/errors/',
      'shared/domain/basis/limits.ts',
      'jose',
      'oauth4webapi',
      'node:',
    ],
    types: ['shared/ports/'],
  },
  { of: 'shared/templates/', may: ['shared/templates/', 'nodemailer/', 'node:'] },
  { of: 'shared/errors/', may: ['shared/errors/'], types: ['shared/operation.ts'] },
  { of: 'shared/ports/', may: [], types: ['shared/ports/'] },
  { of: 'shared/http/metrics.ts', may: [] },
  { of: 'shared/audit.ts', may: [], types: ['shared/errors/', 'shared/ports/'] },
  {
    of: 'shared/operation.ts',
    may: [],
    types: ['shared/audit.ts', 'shared/errors/', 'shared/ports/', 'valibot'],
  },
  {
    of: 'shared/tokens/',
    may: ['shared/tokens/', 'shared/domain/', 'shared/errors/', 'jose', 'node:'],
    types: ['shared/ports/', 'shared/operation.ts'],
  },
  {
    of: 'shared/domain/',
    may: ['shared/domain/', 'shared/errors/', 'node:'],
    types: ['shared/ports/', 'shared/operation.ts'],
  },
  { of: 'shared/domain/identifiers/phone-number.ts', may: ['libphonenumber-js/min'] },
  {
    of: 'shared/domain/passkeys/passkey.ts',
    may: ['shared/domain/', '@simplewebauthn/server', 'node:'],
    types: ['shared/ports/'],
  },
  { of: 'shared/domain/credentials/approval-challenge.ts', may: ['shared/domain/', 'canonicalize', 'node:'] },
  {
    of: 'shared/dynamo/',
    may: [
      'shared/dynamo/',
      'shared/errors/',
      'shared/domain/basis/limits.ts',
      'shared/domain/basis/random.ts',
      '@aws-sdk/',
    ],
    types: ['shared/ports/', 'shared/domain/'],
  },
  {
    of: 'shared/aws/',
    may: [
      ...['shared/aws/', 'shared/dynamo/', 'shared/errors/', 'shared/domain/basis/limits.ts'],
      ...['shared/http/effective-ports.ts', '@aws-sdk/', 'node:'],
    ],
    types: ['shared/ports/', 'shared/operation.ts', 'shared/domain/', 'shared/http/'],
  },
  { of: 'shared/schemas/', may: ['shared/schemas/', 'shared/domain/basis/limits.ts', 'valibot'] },
  {
    of: 'lib/',
    may: [
      ...[
        'lib/',
        'functions/operations.ts',
        'package.json',
        'shared/schemas/',
        'shared/http/',
        'shared/errors/',
      ],
      ...[
        'shared/dynamo/keys.ts',
        'shared/dynamo/access.ts',
        'shared/domain/basis/limits.ts',
        'shared/domain/basis/edge.ts',
        'shared/http/metrics.ts',
        'aws-cdk-lib',
        'constructs',
        'esbuild',
        '@valibot/to-json-schema',
        'node:',
      ],
    ],
    types: ['shared/', 'valibot'],
  },
  // In the place of the SDK's own module, in every bundle.
  { of: 'lib/build/lambda-credentials.ts', may: ['@aws-sdk/credential-provider-env'] },
  // A function of the deployment, no operation.
  {
    of: 'lib/edge-records/',
    may: [
      ...['lib/', 'shared/aws/', 'shared/domain/basis/random.ts', '@aws-sdk/'],
      ...['aws-cdk-lib', 'constructs'],
    ],
  },
  {
    of: 'lib/sms-settings/',
    may: [
      ...['lib/', 'shared/aws/call-settings.ts', '@aws-sdk/client-sns'],
      ...['aws-cdk-lib', 'constructs'],
    ],
  },
  {
    of: 'lib/first-signing-key/',
    may: [
      'lib/',
      'shared/aws/',
      'shared/http/effective-ports.ts',
      'shared/domain/basis/time.ts',
      '@aws-sdk/',
      'jose',
      'aws-cdk-lib',
      'constructs',
      'node:',
    ],
    types: ['shared/'],
  },
  // A function that hears events, no operation.
  {
    of: 'lib/mail-events/',
    may: [
      ...['lib/', 'shared/aws/', 'shared/domain/identifiers/undeliverable.ts', 'shared/http/'],
      ...['aws-cdk-lib', 'constructs', 'node:'],
    ],
    types: ['shared/'],
  },
  // Asks AWS and the DNS about an environment, for the operator.
  {
    of: 'lib/doctor/',
    may: ['lib/doctor/', 'shared/aws/', 'shared/dynamo/keys.ts', '@aws-sdk/', 'node:'],
    types: ['shared/'],
  },
  // Asks DynamoDB about tables, for the operator.
  { of: 'lib/restore/', may: ['shared/aws/', 'shared/dynamo/keys.ts', '@aws-sdk/'], types: ['shared/'] },
  {
    of: 'lib/event-forwarder/',
    may: ['lib/event-forwarder/', 'shared/aws/', 'shared/domain/', '@aws-sdk/', 'node:'],
    types: ['shared/', 'functions/background.ts'],
  },
  {
    of: 'lib/webhooks/',
    may: ['lib/webhooks/', 'shared/aws/', 'shared/domain/', 'shared/http/log.ts', '@aws-sdk/', 'node:'],
    types: ['shared/', 'lib/event-forwarder/', 'functions/background.ts'],
  },
  {
    of: 'lib/notices/',
    may: ['lib/notices/', 'shared/aws/', 'shared/domain/', 'shared/templates/', 'shared/http/log.ts'],
    types: ['shared/', 'lib/event-forwarder/', 'functions/background.ts'],
  },
  // Tells the log of an environment what an operator changes.
  {
    of: 'lib/operator-log/',
    may: ['lib/operator-log/', 'shared/aws/', 'shared/http/log.ts', '@aws-sdk/'],
    types: ['shared/'],
  },
  // Makes keys, for the deployment and for the operator.
  { of: 'lib/signing-keys/', may: ['lib/', 'shared/aws/', '@aws-sdk/', 'jose', 'node:'], types: ['shared/'] },
  {
    of: 'bin/',
    may: ['bin/', 'lib/', 'functions/operations.ts', 'aws-cdk-lib', 'cdk-nag', 'node:'],
    types: ['shared/'],
  },
  {
    of: 'bin/otl/',
    may: [
      ...['bin/otl/', 'shared/domain/', 'shared/schemas/', 'shared/errors/', 'shared/aws/create-ports.ts'],
      ...['shared/http/parse.ts', 'lib/', 'commander', 'cli-table3', 'csv-parse', 'csv-stringify', 'node:'],
    ],
    types: ['shared/', 'valibot'],
  },
  { of: 'bin/otl.ts', may: ['bin/otl/', 'node:'], types: ['shared/'] },
  { of: 'lib/local/', may: ANYTHING },
  { of: 'test/', may: ANYTHING },
  { of: 'bench/', may: ANYTHING },
];

function ruleOf({ path }: SourceFile): Rule | undefined {
  const fitting = RULES.filter(({ of }) => path.startsWith(of));
  return fitting.sort((one, other) => other.of.length - one.of.length)[0];
}

const begins = (target: string, allowed: readonly string[]) =>
  allowed.some((start) => target.startsWith(start));
const folderOf = (path: string) => path.slice(0, path.lastIndexOf('/') + 1);
const entries = new Set(Object.values(operations).map(({ file }) => `functions/${file}.ts`));

/** What several operations share and no rule is lies beside one of them; an operation itself is no such thing. */
function isHelper(path: string): boolean {
  return path.startsWith('functions/') && folderOf(path) !== 'functions/' && !entries.has(path);
}

function isAllowed(rule: Rule, { target, typeOnly }: Import): boolean {
  if (rule.of === 'functions/' && isHelper(target)) return true;
  return begins(target, rule.may) || (typeOnly && begins(target, rule.types ?? []));
}

describe('who may import whom', () => {
  test('every file has a rule', () => {
    expect(sourceFiles.filter((file) => !ruleOf(file)).map(({ path }) => path)).toEqual([]);
    expect(sourceFiles.length).toBeGreaterThan(200);
  });

  test('imports are read: of values, of types, over several lines, at run time', () => {
    const kinds = sourceOf('test/architecture.test.ts').imports;
    expect(
      kinds.find(({ target }) => target === 'test/support/tools/source.ts')?.names.get('codeLines'),
    ).toBe('codeLines');
    const serve = sourceOf('shared/http/serve.ts').imports;
    expect(serve).toContainEqual(expect.objectContaining({ target: 'aws-lambda', typeOnly: true }));
    expect(serve).toContainEqual(expect.objectContaining({ target: '@middy/core', typeOnly: false }));
    const dynamic = sourceFiles.flatMap(({ imports }) => imports).filter(({ names }) => names.size === 0);
    expect(dynamic.length).toBeGreaterThan(0);
  });

  test.each(RULES.map(({ of }) => of))('%s', (of) => {
    const strangers = sourceFiles
      .filter((file) => ruleOf(file)?.of === of)
      .flatMap((file) => file.imports.map((each) => [file, each] as const))
      .filter(([file, each]) => !isAllowed(ruleOf(file) as Rule, each))
      .map(([{ path }, { target, typeOnly }]) => `${path} -> ${typeOnly ? 'type ' : ''}${target}`);
    expect(strangers).toEqual([]);
  });

  test('nobody outside of the table knows the file of an operation', () => {
    const knowing = sourceFiles
      .filter(({ path }) => !/^(?:test|bench|lib\/local)\//.test(path))
      .filter(({ imports }) => imports.some(({ target }) => entries.has(target)));
    expect(knowing.map(({ path }) => path)).toEqual([]);
  });
});

describe('one user each', () => {
  const product = sourceFiles.filter(({ path }) => !/^(?:test|bench|lib\/local)\//.test(path));
  const usersOf = (name: string) =>
    product
      .filter(({ imports }) => imports.some(({ target, typeOnly }) => !typeOnly && target.startsWith(name)))
      .map(({ path }) => path);

  test.each([
    ['@middy/', /^shared\/http\//],
    ['jose', /^(?:shared\/(?:tokens|providers)|lib\/signing-keys)\//],
    [
      '@aws-sdk/',
      /^(?:shared\/(?:dynamo|aws)\/|lib\/(?:doctor|edge-records|event-forwarder|operator-log|restore|signing-keys|sms-settings|webhooks)\/|lib\/lambda-credentials\.ts$)/,
    ],
    ['valibot', /^(?:shared\/schemas\/|shared\/http\/parse\.ts$)/],
    ['oauth4webapi', /^shared\/providers\//],
    ['libphonenumber-js', /^shared\/domain\/phone-number\.ts$/],
    ['@simplewebauthn/', /^shared\/domain\/passkey\.ts$/],
    ['canonicalize', /^shared\/domain\/approval-challenge\.ts$/],
    ['nodemailer', /^shared\/templates\/email\.ts$/],
    ['node:crypto', /^(?!functions\/|shared\/(?:http|dynamo|schemas)\/)/],
  ])('%s is used by few', (name, allowed) => {
    const users = usersOf(name);
    expect(users.length).toBeGreaterThan(0);
    expect(users.filter((path) => !allowed.test(path))).toEqual([]);
  });
});

const rows = Object.entries(operations);
const exportsOf = ({ text }: SourceFile) =>
  [...text.matchAll(/^export\s+(?:const|async function|function|class)\s+(\w+)/gm)].map(([, name]) => name);

describe.each(rows)('the function of %s', (name, row) => {
  const file = sourceOf(`functions/${row.event}.ts`);

  test('exports its use case and its handler, and nothing else', () => {
    expect(exportsOf(file).sort()).toEqual(['handler', 'useCase']);
    expect([...file.text.matchAll(/^export /gm)]).toHaveLength(2);
  });

  test('is served with its own row', () => {
    const own = file.imports.filter(({ names }) => names.get('operation') === name);
    expect(own.map(({ target }) => folderOf(target))).toEqual(['functions/rows/']);
    expect(file.text).toMatch(/^export const handler = lambda\(operation, useCase(?:, \w+(?:\(\))?)?\);$/m);
  });

  test('says in one paragraph what it does', () => {
    expect(file.text).toMatch(/\/\*\*(?:(?!\*\/)[\s\S])+\*\/\nexport const useCase/);
  });

  test('uses each port that its row names, and calls each verb', () => {
    const code = reachableFrom(file.path, 'useCase', (path) =>
      /^(?:functions|shared\/(?:domain|tokens))\//.test(path),
    );
    const unused = row.uses.filter((use) => {
      const [port, verb] = use.split('.');
      const isIn = (pattern: string) => code.some((text) => new RegExp(pattern).test(text));
      if (verb === undefined)
        return !isIn(`\\bports\\.${port}\\b|[{,]\\s*${port}\\s*[,}:]|\\bports, '${port}'`);
      // A store may be handed on by itself, to whoever finds or replaces something in any.
      const isHandedOn =
        isIn(`\\bports\\.${port}\\s*[,)]`) && isIn(`\\bstore\\.${verb}\\b|\\busers\\.${verb}\\b`);
      return !isHandedOn && !isIn(`\\b${port}\\s*\\.${verb}\\b`);
    });
    expect(unused).toEqual([]);
  });
});

test('names no verb twice', () => {
  for (const [, { uses }] of rows) expect(new Set(uses).size).toBe(uses.length);
});

describe('sizes', () => {
  /** Tables of data grow with what they list. */
  const isData = ({ path }: SourceFile) =>
    /^(?:test|bench)\/|^functions\/rows\/|^shared\/(?:schemas\/|errors\/catalogue|dynamo\/(?:keys|access)|domain\/limits)|texts\.ts$/.test(
      path,
    );
  const larger = (lines: number, of: RegExp) =>
    sourceFiles
      .filter((file) => of.test(file.path) && !isData(file) && codeLines(file) > lines)
      .map((file) => `${file.path}: ${codeLines(file)}`);

  test('a larger file of the domain has a rule without a name', () => {
    expect(larger(150, /^shared\/domain\//)).toEqual([]);
  });

  test('a larger function does not read like its paragraph of the specification', () => {
    expect(larger(120, new RegExp(`^(?:${[...entries].join('|').replaceAll('.', '\\.')})$`))).toEqual([]);
  });

  test('no other file is large', () => {
    expect(larger(170, /./)).toEqual([]);
  });
});

describe('proofs of authentication', () => {
  const users = sourceFiles.filter(
    ({ path, imports }) =>
      !path.startsWith('test/') && imports.some(({ typeOnly, names }) => !typeOnly && names.has('provenBy')),
  );

  test('are made in the domain alone', () => {
    expect(users.length).toBeGreaterThan(1);
    for (const { path } of users) expect(folderOf(path)).toBe('shared/domain/');
  });

  test('are made by rules that have consumed, rotated or found what they prove', () => {
    for (const file of users)
      for (const [name, text] of declarationsOf(file))
        if (text.includes('provenBy('))
          expect([file.path, name]).toEqual([file.path, expect.stringMatching(MAKERS)]);
  });
  const MAKERS = /^(?:consume[A-Z]\w*|proofOf(?:[A-Z]\w*)?|provenBy[A-Z]\w*)$/;
});

describe('errors', () => {
  const keys = Object.keys(catalogue) as ErrorKey[];
  const isRow = (path: string) => path.startsWith('functions/rows/');
  const code = sourceFiles.filter(
    ({ path }) =>
      /^(?:functions|shared)\//.test(path) && !isRow(path) && path !== 'shared/errors/catalogue.ts',
  );
  const thrown = (key: string) => new RegExp(`ServiceError\\([^)]*'${key}'`);
  const throwersOf = (key: string) =>
    code.filter(({ text }) => thrown(key).test(text)).map(({ path }) => path);

  test('are thrown by a literal key, so that whoever looks for one finds it', () => {
    const computed = code.filter(({ text }) =>
      [...text.matchAll(/new ServiceError\(([^,)]*)/g)].some(([, key = '']) => !key.includes("'")),
    );
    // Its callers name the key of the record that is missing.
    expect(computed.map(({ path }) => path)).toEqual(['shared/domain/basis/change-record.ts']);
  });

  test.each(keys)('%s can happen', (key) => {
    expect(code.filter(({ text }) => text.includes(`'${key}'`)).map(({ path }) => path)).not.toEqual([]);
  });

  /** Answers to a browser: they lead to the redirect URI or show a page, and are never the body of an answer. */
  const OF_BROWSERS = new Set<ErrorKey>([
    'access_denied',
    'interaction_required',
    'login_elsewhere',
    'login_not_found',
    'login_required',
    'provider_address_taken',
    'provider_denied',
    'provider_failed',
    'provider_not_configured',
    'provider_unavailable',
    'request_uri_spent',
    'upstream_login_over',
  ]);
  // What only the operator's command line meets is in no row.
  const isOfOperator = (key: ErrorKey) => {
    const throwers = throwersOf(key);
    return throwers.length > 0 && throwers.every((path) => path.includes('/management/'));
  };

  test.each(keys.filter((key) => !OF_BROWSERS.has(key)))('%s is listed where it can be seen', (key) => {
    const listed = rows.filter(([, row]) => errorsOf(row).includes(key)).map(([name]) => name);
    // Nor is what nobody sees who asks at the public address.
    if (!isOfOperator(key) && key !== 'edge_bypassed') expect(listed).not.toEqual([]);
  });

  /** The same answer to questions that have nothing to do with each other: one rule for all of them cannot be. */
  const MANY = new Set<ErrorKey>([
    'access_denied',
    'invalid_grant',
    'membership_missing',
    'rate_limited',
    'service_unavailable',
    'session_not_found',
    'system_invalid_input',
    'user_not_found',
  ]);

  test.each(keys.filter((key) => !MANY.has(key)))('%s is thrown by one rule of the domain', (key) => {
    const rules = throwersOf(key).filter(
      (path) => path.startsWith('shared/domain/') && !path.includes('/management/'),
    );
    expect(rules.length).toBeLessThanOrEqual(1);
  });
});

test('nothing is left to do', () => {
  const marks = new RegExp(
    `\\b(?:${['TO', 'FIX', 'X'].map((each) => `${each}${each === 'TO' ? 'DO' : each === 'FIX' ? 'ME' : 'XX'}`).join('|')})\\b`,
  );
  expect(sourceFiles.filter(({ text }) => marks.test(text)).map(({ path }) => path)).toEqual([]);
});

test('no value is exported that nobody imports', () => {
  const imported = new Set(
    sourceFiles.flatMap(({ imports }) =>
      imports.flatMap(({ target, names }) => [
        ...(names.size === 0 ? [`${target} *`] : []),
        ...[...names.values()].map((name) => `${target} ${name}`),
      ]),
    ),
  );
  const isEntry = (path: string, name: string) =>
    /^(?:handler|useCase)$/.test(name) && /^functions\/|\/handler\.ts$/.test(path);
  const unused = sourceFiles.flatMap(({ path, text }) =>
    [...text.matchAll(/^export (?:async )?(?:const|function|class) (\w+)/gm)]
      .map(([, name = '']) => name)
      .filter(
        (name) => !imported.has(`${path} ${name}`) && !imported.has(`${path} *`) && !isEntry(path, name),
      )
      .map((name) => `${path}: ${name}`),
  );
  expect(unused).toEqual([]);
});
