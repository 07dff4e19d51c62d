import { describe, expect, test } from '@jest/globals';
import { background, backgroundNames } from '../functions/background.ts';
import { operations as apiOperations, consoleOperations } from '../functions/operations.ts';
import packageJson from '../package.json' with { type: 'json' };
import { catalogue, type ErrorKey } from '../shared/errors/catalogue.ts';
import { listErrors } from '../shared/http/errors-of.ts';
import {
  circlesIn,
  type Import,
  listDeclarations,
  type SourceFile,
  sourceFiles,
} from './support/tools/source.ts';

// Checks the structure of the source: imports, sizes, names and errors.

const operations = { ...apiOperations, ...consoleOperations };

interface Rule {
  /** Path prefix of the files to which the rule applies. The rule with the longest matching prefix wins. */
  readonly of: string;
  /** Prefixes of paths and packages that files under this prefix may import. */
  readonly may: readonly string[];
  /** Prefixes of paths and packages that files under this prefix may import only as types, which do not exist at run time. */
  readonly types?: readonly string[];
}

const CONTRACT = ['shared/operation.ts', 'shared/ports/', 'shared/errors/'];

/** Allowed imports: bin → lib → functions → shared, and in shared flows → domain → ports. */
const RULES: readonly Rule[] = [
  {
    of: 'shared/domain/',
    may: [
      ...['shared/domain/', 'shared/records/', 'shared/errors/', 'node:'],
      ...['libphonenumber-js/', '@simplewebauthn/server', 'canonicalize', 'ipaddr.js'],
    ],
    types: CONTRACT,
  },
  { of: 'shared/ports/', may: [], types: ['shared/ports/', 'shared/records/'] },
  { of: 'shared/records/', may: ['shared/records/'] },
  {
    of: 'shared/flows/',
    may: [
      ...['shared/flows/', 'shared/domain/', 'shared/tokens/', 'shared/templates/', 'shared/providers/'],
      ...['shared/errors/', 'shared/http/cookies.ts', 'shared/records/channels.ts', 'node:'],
    ],
    types: ['shared/'],
  },
  {
    of: 'shared/tokens/',
    may: ['shared/tokens/', 'shared/domain/', 'shared/errors/', 'jose', 'node:'],
    types: CONTRACT,
  },
  {
    of: 'shared/providers/',
    may: [
      ...['shared/providers/', 'shared/outbound/', 'shared/errors/', 'shared/domain/basis/'],
      ...['jose', 'oauth4webapi', 'node:'],
    ],
    types: CONTRACT,
  },
  { of: 'shared/outbound/', may: ['shared/outbound/', 'shared/domain/basis/', 'node:'] },
  {
    of: 'shared/templates/',
    may: [
      ...['shared/templates/', 'shared/domain/basis/colour.ts'],
      ...['shared/records/channels.ts', 'shared/records/languages.ts', 'shared/records/providers.ts'],
      ...['nodemailer/', 'negotiator', 'node:'],
    ],
  },
  { of: 'shared/sdk/', may: ['shared/sdk/', 'node:'] },
  { of: 'shared/schemas/', may: ['shared/schemas/', 'shared/records/', 'shared/domain/basis/', 'valibot'] },
  { of: 'shared/errors/', may: ['shared/errors/'], types: CONTRACT },
  {
    of: 'shared/http/',
    may: [
      'shared/http/',
      'shared/errors/',
      'shared/tokens/',
      'shared/domain/',
      '@middy/core',
      'valibot',
      'cookie',
      'node:',
    ],
    types: [...CONTRACT, 'aws-lambda'],
  },
  {
    of: 'shared/dynamo/',
    may: [
      ...['shared/dynamo/', 'shared/records/', 'shared/sdk/', 'shared/errors/', 'shared/domain/basis/'],
      '@aws-sdk/',
    ],
    types: [...CONTRACT, 'shared/domain/'],
  },
  {
    of: 'shared/aws/',
    may: [
      ...['shared/aws/', 'shared/dynamo/', 'shared/sdk/', 'shared/errors/', 'shared/http/'],
      ...['shared/domain/basis/', '@aws-sdk/', 'jose', 'node:'],
    ],
    types: [...CONTRACT, 'shared/domain/'],
  },
  { of: 'shared/', may: [], types: ['shared/', 'valibot'] },

  {
    of: 'functions/',
    may: [
      ...['functions/', 'shared/flows/', 'shared/domain/', 'shared/tokens/', 'shared/templates/'],
      ...[
        'shared/providers/',
        'shared/errors/',
        'shared/schemas/',
        'shared/http/',
        'shared/outbound/client-document.ts',
        'shared/ports/verbs.ts',
        'shared/records/',
        'node:',
      ],
    ],
    types: ['shared/'],
  },
  {
    of: 'functions/events/',
    may: ['functions/events/', 'shared/', 'node:'],
    types: ['functions/background.ts'],
  },
  {
    of: 'functions/deployment/',
    may: ['functions/deployment/', 'shared/', '@aws-sdk/', 'node:'],
    types: ['functions/background.ts'],
  },

  {
    of: 'lib/',
    may: [
      ...[
        'lib/',
        'functions/areas.ts',
        'functions/operations.ts',
        'functions/background.ts',
        'functions/events/queues.ts',
        'shared/',
      ],
      ...[
        'package.json',
        'cdk.json',
        'aws-cdk-lib',
        'constructs',
        'esbuild',
        '@valibot/to-json-schema',
        '@aws-sdk/',
        'jose',
        'json-schema-to-typescript',
        'node:',
      ],
    ],
    types: ['functions/', 'valibot'],
  },
  // The typed client also runs outside Node.js, so jose is the only package that the client may import.
  { of: 'lib/client/', may: ['lib/client/', 'jose'] },
  { of: 'lib/local/', may: [''] },
  {
    of: 'bin/',
    may: [
      ...['bin/', 'lib/', 'functions/operations.ts', 'shared/', 'package.json', 'aws-cdk-lib', 'cdk-nag'],
      ...['commander', 'cli-table3', 'csv-parse', 'csv-stringify', 'node:'],
    ],
    types: ['valibot'],
  },
  { of: 'test/', may: [''] },
];

function findRule({ path }: SourceFile): Rule | undefined {
  const fitting = RULES.filter(({ of }) => path.startsWith(of));
  return fitting.sort((one, other) => other.of.length - one.of.length)[0];
}

const begins = (target: string, allowed: readonly string[]) =>
  allowed.some((start) => target.startsWith(start));

const isAllowed = ({ may, types = [] }: Rule, { target, typeOnly }: Import): boolean =>
  begins(target, may) || (typeOnly && begins(target, types));

const toFolder = (path: string) => path.slice(0, path.lastIndexOf('/'));
const product = sourceFiles.filter(({ path }) => !/^(?:test|lib\/local)\//.test(path));

describe('allowed imports between files and packages', () => {
  test('the import parser of this test finds value, type, multi-line and dynamic imports', () => {
    const imports = sourceFiles.find(({ path }) => path === 'shared/http/serve.ts')?.imports;
    expect(imports).toContainEqual(expect.objectContaining({ target: 'aws-lambda', typeOnly: true }));
    expect(imports).toContainEqual(expect.objectContaining({ target: '@middy/core', typeOnly: false }));
    expect(sourceFiles.length).toBeGreaterThan(200);
  });

  test.each(RULES.map(({ of }) => of))('files in %s import only modules that their layer allows', (of) => {
    const wrong = sourceFiles
      .filter((file) => findRule(file)?.of === of)
      .flatMap(({ path, imports }) =>
        imports
          .filter((each) => !isAllowed(RULES.find((rule) => rule.of === of) as Rule, each))
          .map(({ target, typeOnly }) => `${path} -> ${typeOnly ? 'type ' : ''}${target}`),
      );
    expect(wrong).toEqual([]);
  });

  test('the local server and the functions import only packages that are production dependencies', () => {
    const of = new Map(sourceFiles.map((file) => [file.path, file]));
    const entries = sourceFiles.map(({ path }) => path).filter((path) => path.startsWith('lib/local/'));
    const reached = new Set([
      ...entries,
      ...Object.values(operations).map(({ file }) => `functions/${file}.ts`),
    ]);
    for (const path of reached)
      for (const { target, typeOnly } of of.get(path)?.imports ?? []) if (!typeOnly) reached.add(target);
    const packages = [...reached].filter((target) => !of.has(target) && !/^node:|\.json$|[$]/.test(target));
    expect(packages).toContain('dynalite');
    const named = Object.keys(packageJson.dependencies);
    const missing = packages.filter((target) => !named.some((name) => `${target}/`.startsWith(`${name}/`)));
    expect(missing).toEqual([]);
  });

  test('there are no circular imports between files or folders', () => {
    const files = product.map(({ path, imports }) => [path, imports.map(({ target }) => target)] as const);
    expect(circlesIn(files)).toEqual([]);
    expect(
      circlesIn(files.map(([path, targets]) => [toFolder(path), targets.map(toFolder)] as const)),
    ).toEqual([]);
  });

  test.each([
    ['@middy/', /^shared\/http\//],
    ['jose', /^(?:shared\/(?:tokens|providers|aws\/signing-keys)|lib\/(?:operator|client))\//],
    ['valibot', /^(?:shared\/schemas\/|shared\/http\/parse\.ts$)/],
    ['oauth4webapi', /^shared\/providers\//],
    ['libphonenumber-js', /^shared\/domain\/identifiers\/phone-(?:number|metadata)\.ts$/],
    ['@simplewebauthn/', /^shared\/domain\/passkeys\/passkey\.ts$/],
    ['shared/outbound/client-document.ts', /^functions\/oauth\/authorization\/authorize\.ts$/],
    ['canonicalize', /^shared\/domain\/credentials\/approval-challenge\.ts$/],
    ['nodemailer', /^shared\/templates\/messages\/email\.ts$/],
    ['@aws-sdk/', /^(?:shared\/(?:dynamo|aws)|functions\/deployment|lib\/(?:operator|build))\//],
    ['node:crypto', /^(?!functions\/(?!events\/)|shared\/(?:http|dynamo|schemas|flows)\/)/],
  ])('only the files in the list of allowed importers import the module %s', (name, allowed) => {
    const users = product
      .filter(({ imports }) => imports.some(({ target, typeOnly }) => !typeOnly && target.startsWith(name)))
      .map(({ path }) => path);
    expect(users.length).toBeGreaterThan(0);
    expect(users.filter((path) => !allowed.test(path))).toEqual([]);
  });
});

test('only one file in the folder of domain rules reads the system clock', () => {
  const rules = product.filter(({ path }) => /^shared\/(?:domain|tokens|flows)\//.test(path));
  const readers = rules.filter(({ text }) => /\bDate\.now\(|new Date\(\)/.test(text));
  expect(readers.map(({ path }) => path)).toEqual(['shared/domain/basis/time.ts']);
});

describe('size limits of source files and folders', () => {
  test('a source file has at most 400 lines, unless it contains schemas, errors, operation rows or texts', () => {
    const isTable = (path: string) =>
      /^shared\/(?:schemas|errors)\/|\/(?:rows|texts\/[a-z]{2})\.ts$/.test(path);
    const long = sourceFiles
      .filter(({ path, text }) => !isTable(path) && text.split('\n').length > 401)
      .map(({ path }) => path);
    expect(long).toEqual([]);
  });

  test('a source folder has at most 22 files', () => {
    const folders = Object.groupBy(sourceFiles, ({ path }) => toFolder(path));
    const full = Object.entries(folders).filter(([, files = []]) => files.length > 22);
    expect(full.map(([folder, files = []]) => `${folder}: ${files.length}`)).toEqual([]);
  });
});

describe('rules that Lambda function modules must follow', () => {
  const rows = Object.entries(operations);

  test('each function module exports the function that the operation table names', () => {
    const texts = new Map(product.map(({ path, text }) => [path, text]));
    const missing = [
      ...rows.map(([name, { file }]) => [file, name] as const),
      ...backgroundNames.map((name) => [background[name].file, 'create'] as const),
    ].filter(([file, name]) => !texts.get(`functions/${file}.ts`)?.includes(`export const ${name}: `));
    expect(missing).toEqual([]);
  });

  test('function modules do not read environment variables', () => {
    const exported = sourceFiles
      .filter(({ path }) => /^functions\/.*\/rows\.ts$/.test(path))
      .flatMap(({ path, text }) =>
        [...text.matchAll(/^export const (\w+) = /gm)].map(
          ([, name = '']) => [name, path.split('/')[1]] as const,
        ),
      );
    // Each exported operation is in the operation table, and no two areas use the same operation name.
    expect(exported.map(([name]) => name).toSorted()).toEqual(Object.keys(operations).toSorted());
    const area = new Map(exported);
    for (const [name, { file }] of rows)
      if (file !== 'fallback') expect([name, file.split('/')[0]]).toEqual([name, area.get(name)]);
    const reading = product.filter(
      ({ path, text }) => path.startsWith('functions/') && text.includes('process.env'),
    );
    expect(reading.map(({ path }) => path)).toEqual([]);
  });

  test('no operation lists a port method twice', () => {
    for (const [name, { uses }] of rows) expect([name, new Set(uses).size]).toEqual([name, uses.length]);
  });
});

describe('files that may create authentication proofs', () => {
  const users = product.filter(({ imports }) =>
    imports.some(({ typeOnly, names }) => !typeOnly && names.has('provenBy')),
  );
  const MAKERS = /^(?:consume[A-Z]\w*|readLastProof(?:[A-Z]\w*)?|provenBy[A-Z]\w*)$/;

  test('only domain rules that check a credential can create an authentication proof', () => {
    expect(users.length).toBeGreaterThan(1);
    for (const file of users) {
      expect(file.path).toMatch(/^shared\/domain\//);
      for (const [name, text] of listDeclarations(file))
        if (text.includes('provenBy('))
          expect([file.path, name]).toEqual([file.path, expect.stringMatching(MAKERS)]);
    }
  });
});

describe('error keys in the error catalogue', () => {
  const keys = Object.keys(catalogue) as ErrorKey[];
  const code = product.filter(
    ({ path }) =>
      /^(?:functions|shared)\//.test(path) && !/\/rows\.ts$|^shared\/errors\/catalogue/.test(path),
  );

  test('every thrown error has a literal string as its key, so that a text search finds the key', () => {
    const computed = code.filter(({ text }) =>
      [...text.matchAll(/new ServiceError\(([^,)]*)/g)].some(([, key = '']) => !key.includes("'")),
    );
    // The callers of change-record pass the error key of a missing record.
    expect(computed.map(({ path }) => path)).toEqual(['shared/domain/basis/change-record.ts']);
  });

  test('every error key in the error catalogue is used by the source code', () => {
    expect(keys.filter((key) => !code.some(({ text }) => text.includes(`'${key}'`)))).toEqual([]);
  });

  /** Error keys that no operation lists. They redirect a browser, show a page, or reject a call that bypassed CloudFront. */
  const NEVER_A_BODY = new Set<ErrorKey>([
    ...([
      'access_denied',
      'interaction_required',
      'login_elsewhere',
      'login_not_found',
      'login_required',
      'notice_link_over',
      'recovery_impossible',
    ] as const),
    ...(['provider_address_taken', 'provider_denied', 'provider_failed', 'provider_not_configured'] as const),
    ...(['provider_unavailable', 'request_uri_spent', 'upstream_login_over', 'edge_bypassed'] as const),
  ]);

  test('every error code that an API response can contain is documented for an operation', () => {
    const listed = new Set(rowsErrors());
    const ofOperator = (key: ErrorKey) =>
      code
        .filter(({ text }) => new RegExp(`ServiceError\\([^)]*'${key}'`).test(text))
        .every(({ path }) => path.includes('/management/'));
    expect(keys.filter((key) => !listed.has(key) && !NEVER_A_BODY.has(key) && !ofOperator(key))).toEqual([]);
  });

  const rowsErrors = () => Object.values(operations).flatMap(listErrors);
});

test('every exported value is imported by another file', () => {
  const imported = new Set(
    sourceFiles.flatMap(({ imports }) =>
      imports.flatMap(({ target, names }) =>
        names.size === 0 ? [`${target} *`] : [...names.values()].map((name) => `${target} ${name}`),
      ),
    ),
  );
  const entries = new Set([
    ...Object.entries(operations).map(([name, { file }]) => `functions/${file}.ts ${name}`),
    ...backgroundNames.map((name) => `functions/${background[name].file}.ts create`),
  ]);
  const unused = sourceFiles.flatMap(({ path, text }) =>
    [...text.matchAll(/^export (?:async )?(?:const|function|class) (\w+)/gm)]
      .map(([, name = '']) => `${path} ${name}`)
      .filter((each) => !imported.has(each) && !imported.has(`${path} *`) && !entries.has(each))
      // These schemas are exported because the OpenAPI document names its components after the exports.
      .filter((each) => !/^shared\/schemas\/\S+ [A-Z]/.test(each))
      // These exports are used outside the repository: the npm package exports them, or Lambda calls them.
      .filter((each) => !/^(?:lib\/client\/index\.ts |test\/samples\/)/.test(each)),
  );
  expect(unused).toEqual([]);
});
