import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { operations } from '../../functions/operations.ts';
import { bundleFunctions, OTHER_FUNCTIONS } from '../../lib/build/bundle.ts';
import { complaintsAbout, recordedSizes } from '../../lib/build/bundle-sizes.ts';
import { coldInitsOf, complaintsAboutInits, recordedColdInits } from '../../lib/build/cold-init.ts';
import { effectivePorts } from '../../shared/http/effective-ports.ts';
import type { Operation } from '../../shared/operation.ts';
import { bundlesOfAll } from '../support/server/bundles.ts';
import { Cloud } from './support/cloud.ts';
import { synthesized } from './support/synthesized.ts';

const rows = Object.values<Operation>(operations);
const { outdir, bundles } = bundlesOfAll();
const functions = new Cloud(synthesized('eu').templates).functions();

const holds = (entry: string, path: string) =>
  bundles[entry]?.modules.some((module) => module.startsWith(path)) ?? false;

describe('the assets', () => {
  test('are one file each, without a source map', () => {
    expect(Object.keys(bundles).toSorted()).toEqual(
      [...rows.map(({ entry }) => entry), ...OTHER_FUNCTIONS].toSorted(),
    );
    for (const { dir } of Object.values(bundles)) expect(readdirSync(dir)).toEqual(['index.cjs']);
  });

  test('have their maps beside them, to be kept', () => {
    for (const { dir } of Object.values(bundles))
      expect(readdirSync(join(outdir, '.maps', relative(outdir, dir)))).toEqual(['index.cjs.map']);
  });

  test('load and find every variable that they need in the template', () => {
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

/** What many callers, or the first of a person, wait for. */
const STARTING_SMALL = [
  'tokens/jwks',
  'tokens/discovery',
  'one-time/open-magic-link',
  'code-based/open-link',
  'meta/health',
  'meta/openapi',
];

describe('a bundle holds the clients of its ports alone', () => {
  const clients = {
    'client-kms': ['signer', 'codeMac', 'nonceMac', 'webhookMac'],
    'client-secrets-manager': ['providerSecrets', 'providerSecretRecords'],
    'client-ses': ['mailer'],
    'client-sns': ['texter'],
  } as const;

  test.each(rows.map((row) => [row.entry, row] as const))('%s', (entry, row) => {
    const ports: readonly string[] = effectivePorts(row);
    for (const [client, users] of Object.entries(clients))
      expect([client, holds(entry, `node_modules/@aws-sdk/${client}/`)]).toEqual([
        client,
        users.some((port) => ports.includes(port)),
      ]);
  });

  test('so keys, metadata and opened links start without KMS, SES and SNS', () => {
    for (const entry of STARTING_SMALL)
      for (const client of Object.keys(clients))
        expect([entry, client, holds(entry, `node_modules/@aws-sdk/${client}/`)]).toEqual([
          entry,
          client,
          false,
        ]);
  });
});

describe('sizes', () => {
  test('are within budget and as recorded (npm run bundles:record)', () => {
    expect(complaintsAbout(bundles, recordedSizes())).toEqual([]);
  });

  test('above budget, grown, unrecorded or forgotten are told', () => {
    const bundle = (bytes: number, ...modules: string[]) => ({ dir: '', bytes, modules });
    const phone = 'node_modules/libphonenumber-js/index.js';
    expect(
      complaintsAbout(
        {
          fits: bundle(480_000),
          heavy: bundle(480_001),
          phone: bundle(900_000, phone),
          tooMuchPhone: bundle(900_001, phone),
          grown: bundle(105_001),
          crept: bundle(105_000),
          fresh: bundle(1000),
        },
        {
          fits: 480_000,
          heavy: 480_001,
          phone: 900_000,
          tooMuchPhone: 900_001,
          grown: 100_000,
          crept: 100_000,
          old: 1,
        },
      ),
    ).toEqual([
      'heavy: 481 KB is above its budget of 480 KB',
      'tooMuchPhone: 901 KB is above its budget of 900 KB',
      'grown: 106 KB, recorded were 100 KB',
      'fresh: 1 KB, not recorded',
      'old: recorded, but there is no such bundle',
    ]);
  });
});

describe('cold init', () => {
  test('evaluates no more than recorded, in every function (npm run bundles:record)', async () => {
    const inits = await coldInitsOf(bundles);
    expect(Object.keys(inits).toSorted()).toEqual(Object.keys(bundles).toSorted());
    for (const [entry, { functions: ran, bytes }] of Object.entries(inits)) {
      expect([entry, ran > 10, bytes > 1000]).toEqual([entry, true, true]);
      expect([entry, bytes < (bundles[entry]?.bytes ?? 0)]).toEqual([entry, true]);
    }
    expect(complaintsAboutInits(inits, recordedColdInits())).toEqual([]);
  }, 120_000);

  test('counts what runs when a bundle is loaded, and not what only could', async () => {
    const dir = join(outdir, '.measured');
    mkdirSync(dir, { recursive: true });
    const code = (atLoad: string) =>
      `exports.handler = function () { return ${'1 + '.repeat(1000)}1; };\nfunction ran() { return 1; }\n${atLoad}`;
    const measured = async (atLoad: string) => {
      const place = join(dir, String(atLoad.length));
      mkdirSync(place, { recursive: true });
      writeFileSync(join(place, 'index.cjs'), code(atLoad));
      const { one } = await coldInitsOf({ one: { dir: place, bytes: 0, modules: [] } });
      return one ?? { functions: 0, bytes: 0 };
    };
    const [lazy, eager] = [await measured(''), await measured('ran(); exports.handler();')];
    expect(eager.functions - lazy.functions).toBe(2);
    expect(lazy.bytes).toBeLessThan(300);
    expect(eager.bytes - lazy.bytes).toBeGreaterThan(4000);
  });

  test('that has grown is told', () => {
    const init = (bytes: number) => ({ functions: 1, bytes });
    expect(
      complaintsAboutInits(
        { grown: init(1051), crept: init(1050), fresh: init(9) },
        { grown: init(1000), crept: init(1000) },
      ),
    ).toEqual(['grown: evaluates 1051 bytes when it is loaded, recorded were 1000']);
  });
});

test('two rows cannot share an entry', async () => {
  const { health } = operations;
  if (!health) throw new Error('no row health');
  await expect(bundleFunctions({ health, twin: health }, outdir)).rejects.toThrow(
    'Two operations share the entry meta/health.',
  );
});
