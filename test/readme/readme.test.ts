import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { operations } from '../../functions/operations.ts';
import { environmentNames } from '../../lib/stacks/environments/environments.ts';
import packageJson from '../../package.json' with { type: 'json' };
import { accessesOf, isTablePort } from '../../shared/dynamo/access.ts';
import { tableLayouts } from '../../shared/dynamo/keys.ts';
import { effectivePorts } from '../../shared/http/effective-ports.ts';
import {
  anchorsOf,
  blocksOf,
  ROOT,
  readReadme,
  section,
  tableRows,
  withoutBlocks,
} from './support/readme.ts';

const readme = readReadme();
const prose = withoutBlocks(readme);
const source = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const inlineCode = [...prose.matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code);

describe('a script finds', () => {
  test.each(['npm ci && npm start', 'npm ci && npm test'])(
    'the command %s in a block of its own',
    (command) => {
      expect(blocksOf('bash', readme)).toContain(`${command}\n`);
    },
  );

  test('each script of npm that is named', () => {
    const named = [...readme.matchAll(/npm run (?:--silent )?([a-z:]+)/g)].map(([, name]) => name);
    expect(new Set(named).size).toBeGreaterThan(5);
    expect(Object.keys(packageJson.scripts)).toEqual(expect.arrayContaining([...new Set(named)]));
  });
});

describe('what the text points to is there:', () => {
  const targets = [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);

  test('anchors and files of links', () => {
    const anchors = anchorsOf(readme);
    const lost = targets.filter((target) => {
      if (/^https?:/.test(target)) return false;
      return target.startsWith('#') ? !anchors.includes(target.slice(1)) : !existsSync(join(ROOT, target));
    });
    expect(lost).toEqual([]);
  });

  test('files and folders', () => {
    const paths = inlineCode.filter((code) =>
      /^(?:functions|shared|lib|bin|test|bench|\.ci)\/[\w./-]*$/.test(code),
    );
    expect(paths.length).toBeGreaterThan(30);
    expect(paths.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  });

  test('no document that is not in the repository', () => {
    const documents = [...readme.matchAll(/[\w./-]+\.md\b/g)].map(([name]) => name);
    expect(documents.filter((name) => !existsSync(join(ROOT, name)))).toEqual([]);
    expect(readme).not.toContain(`${dirname(ROOT)}/`);
  });
});

describe('the local server is described in full:', () => {
  const local = section(readme, 'The local server');

  test('variables', () => {
    const read = [...source('bin/start.ts').matchAll(/\benv\.([A-Z_]+)/g)].map(([, name]) => name);
    const rows = tableRows(local).map(([name]) => name);
    expect(rows).toEqual(expect.arrayContaining(['LOG_LEVEL', ...read].map((name) => `\`${name}\``)));
  });

  test('addresses', () => {
    const subjects = source('lib/local/local-pages.ts').matchAll(/subject === '(\w+)'/g);
    const expected = new Set([...subjects].map(([, subject]) => `/_local/${subject}`));
    expect(expected.size).toBeGreaterThan(5);
    expect([...expected].filter((address) => !local.includes(address))).toEqual([]);
  });
});

describe('the architecture is described in full:', () => {
  const architecture = section(readme, 'Architecture');

  test('tables of the store, and the first part of every key', () => {
    for (const name of Object.keys(tableLayouts)) expect(architecture).toContain(`\`${name}\``);
    const prefixes = Object.values(operations)
      .flatMap(effectivePorts)
      .filter(isTablePort)
      .flatMap((port) => Object.values(accessesOf(port)).flat())
      .filter(({ index }) => index === undefined)
      .map(({ prefix }) => prefix.replace('#', ''));
    expect(prefixes).toContain('otp');
    expect(prefixes.filter((prefix) => !architecture.includes(`\`${prefix}`))).toEqual([]);
  });

  test('columns of the table of operations', () => {
    const columns = new Set(Object.values(operations).flatMap((row) => Object.keys(row)));
    expect([...columns].filter((column) => !architecture.includes(`\`${column}\``))).toEqual([]);
  });
});

test('every environment is described', () => {
  const deploy = section(readme, 'Deploy');
  const names = tableRows(deploy).map(([name]) => name);
  expect(names).toEqual(expect.arrayContaining(environmentNames.map((name) => `\`${name}\``)));
});

describe('every norm has its tests, or a reason:', () => {
  const rows = tableRows(section(readme, 'Standards')).map((cells) => ({
    norms: [...(cells[0] ?? '').matchAll(/N\d{3}/g)].map(([id]) => id),
    answer: cells.at(-2) ?? '',
    files: [...(cells.at(-1) ?? '').matchAll(/`([^`]+)`/g)].map(([, file = '']) => file),
  }));

  test('each one of OAuth and OpenID Connect has a row', () => {
    const parts = [
      [1, 29] as const,
      [30, 49] as const,
      [50, 59] as const,
      [60, 72] as const,
      [80, 95] as const,
    ];
    const demanded = parts.flatMap(([first, last]) =>
      Array.from({ length: last - first + 1 }, (_, i) => `N${String(first + i).padStart(3, '0')}`),
    );
    const found = new Set(rows.flatMap(({ norms }) => norms));
    expect(demanded.filter((id) => !found.has(id))).toEqual([]);
  });

  test.each(rows)('$norms', ({ norms, answer, files }) => {
    expect(norms.length).toBeGreaterThan(0);
    if (files.length === 0) {
      expect(answer).toMatch(/^Not supported: \w/);
      return;
    }
    const names = (file: string, id: string) => source(file).includes(id);
    expect(norms.filter((id) => !files.some((file) => names(file, id)))).toEqual([]);
    expect(files.filter((file) => !norms.some((id) => names(file, id)))).toEqual([]);
  });
});
