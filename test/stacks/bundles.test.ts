import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { backgroundNames } from '../../functions/background.ts';
import { consoleOperations, operations } from '../../functions/operations.ts';
import { type BuiltBundles, bundleFunctions } from '../../lib/build/bundle.ts';
import { convertSchema } from '../../lib/build/openapi/json-schemas.ts';
import { acceptsToken, effectivePorts } from '../../shared/http/effective-ports.ts';
import type { Operation } from '../../shared/operation.ts';
import { buildBundles } from '../support/server/bundles.ts';
import { Cloud } from './support/cloud.ts';
import { synthesized } from './support/synthesized.ts';

const rows = Object.values<Operation>({ ...operations, ...consoleOperations });
const { outdir, bundles } = buildBundles();
const functions = new Cloud(synthesized('eu').templates).functions();

const holds = (entry: string, path: string) =>
  bundles[entry]?.modules.some((module) => module.startsWith(path)) ?? false;

describe('files in function bundles', () => {
  test('each function bundle consists of one file without a source map', () => {
    expect(Object.keys(bundles).toSorted()).toEqual(
      [...rows.map(({ event }) => event), ...backgroundNames].toSorted(),
    );
    for (const [event, { dir }] of Object.entries(bundles))
      expect(readdirSync(dir)).toEqual(
        ['meta/openapi', 'console/screen'].includes(event) ? ['index.cjs', 'openapi.json'] : ['index.cjs'],
      );
  });

  test('source maps are stored separately from the function bundles', () => {
    for (const { dir } of Object.values(bundles))
      expect(readdirSync(join(outdir, '.maps', relative(outdir, dir)))).toEqual(['index.cjs.map']);
  });

  test('each function bundle can be loaded with the environment variables from its template', () => {
    const cases = Object.entries(bundles).map(([entry, { dir }]) => {
      const deployed = functions.find(({ name }) => name === `otl-eu-${entry.replaceAll('/', '-')}`);
      return { file: join(dir, 'index.cjs'), variables: deployed?.variables };
    });
    const program = `
      for (const { file, variables } of ${JSON.stringify(cases)}) {
        process.env = { AWS_REGION: 'eu-central-1', ...variables };
        if (typeof require(file).handler !== 'function') throw new Error(file + ' exports no handler');
      }`;
    const { status, stderr } = spawnSync(process.execPath, ['-e', program], { encoding: 'utf8' });
    expect(stderr).toBe('');
    expect(status).toBe(0);
  });
});

/** Operations that must start fast, because their cold starts would delay many callers or the first page of a login. */
const STARTING_SMALL = [
  'tokens/jwks',
  'tokens/discovery',
  'one-time/open-magic-link',
  'code-based/open-link',
  'meta/health',
  'meta/openapi',
];

describe('AWS clients in function bundles', () => {
  const clients = {
    'client-kms': ['signer', 'codeMac', 'webhookMac'],
    'client-secrets-manager': ['providerSecrets', 'providerSecretRecords'],
    'client-ses': ['mailer'],
    'client-sns': ['smsSender'],
  } as const;

  test.each(rows.map((row) => [row.event, row] as const))(
    'the bundle of the operation %s contains only the AWS clients that its ports need',
    (entry, row) => {
      const ports: readonly string[] = effectivePorts(row);
      for (const [client, users] of Object.entries(clients))
        expect([client, holds(entry, `node_modules/@aws-sdk/${client}/`)]).toEqual([
          client,
          users.some((port) => ports.includes(port)),
        ]);
    },
  );

  test('bundles of functions that must start fast contain no KMS, SES or SNS client', () => {
    for (const entry of STARTING_SMALL)
      for (const client of Object.keys(clients))
        expect([entry, client, holds(entry, `node_modules/@aws-sdk/${client}/`)]).toEqual([
          entry,
          client,
          false,
        ]);
  });
});

test('function bundles contain no descriptions of the OpenAPI document', () => {
  const described = rows.map(({ event, input }) => {
    const schemas = JSON.stringify(Object.values(input).map(convertSchema));
    return {
      event,
      words: [...schemas.matchAll(/"description":"([^"\\]+)/g)].map(([, words = '']) => words),
    };
  });
  expect(described.flatMap(({ words }) => words).length).toBeGreaterThan(0);
  for (const { event, words } of described) {
    const code = readFileSync(join(bundles[event]?.dir ?? '', 'index.cjs'), 'utf8');
    expect([event, words.filter((each) => code.includes(each))]).toEqual([event, []]);
  }
});

test('only bundles of functions that accept access tokens contain the code that verifies access tokens', () => {
  for (const row of rows)
    expect([row.event, holds(row.event, 'shared/http/authenticate.ts')]).toEqual([
      row.event,
      acceptsToken(row),
    ]);
});

test('the bundle of the function for unknown paths contains no schemas', () => {
  expect(holds('meta/fallback', 'shared/schemas/')).toBe(false);
});

/** Size limit of a bundle in bytes. Most of a bundle is the SDK. */
const BUDGET_BYTES = 480_000;
/** Size limit in bytes of a bundle with code for mail, phone numbers or passkeys. */
const LARGE_BUDGET_BYTES = 700_000;

const LARGE_MODULES = /^node_modules\/(nodemailer|libphonenumber-js|@simplewebauthn)\//;

const kilobytes = (bytes: number): string => `${Math.ceil(bytes / 1000)} KB`;

/** Lists the bundles above their size limit. */
function complaintsAbout(bundles: BuiltBundles): string[] {
  return Object.entries(bundles).flatMap(([name, { bytes, modules }]) => {
    const budget = modules.some((path) => LARGE_MODULES.test(path)) ? LARGE_BUDGET_BYTES : BUDGET_BYTES;
    return bytes > budget ? [`${name}: ${kilobytes(bytes)} is above its budget of ${kilobytes(budget)}`] : [];
  });
}

describe('size limits of function bundles', () => {
  test('no function bundle exceeds its size limit', () => {
    expect(complaintsAbout(bundles)).toEqual([]);
  });

  test('a function bundle that exceeds its size limit is reported by name', () => {
    const bundle = (bytes: number, ...modules: string[]) => ({ dir: '', bytes, modules });
    const phone = 'node_modules/libphonenumber-js/index.js';
    expect(
      complaintsAbout({
        fits: bundle(480_000),
        heavy: bundle(480_001),
        phone: bundle(700_000, phone),
        tooMuchPhone: bundle(700_001, phone),
      }),
    ).toEqual([
      'heavy: 481 KB is above its budget of 480 KB',
      'tooMuchPhone: 701 KB is above its budget of 700 KB',
    ]);
  });
});

test('bundling fails if two operations have the same event name', async () => {
  const { health } = operations;
  if (!health) throw new Error('no row health');
  await expect(bundleFunctions({ health, twin: health }, outdir)).rejects.toThrow(
    'Two operations have the event meta/health.',
  );
});
