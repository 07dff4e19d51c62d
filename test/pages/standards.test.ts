import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { ROOT, readPage, tableRows } from './support/markdown.ts';

const NORM = /N\d{3}/g;

const rows = tableRows(readPage('test/ASSURANCE.md')).map((cells) => ({
  norms: cells.join(' ').match(NORM) ?? [],
  answer: cells.at(-1) ?? '',
}));
const found = rows.flatMap(({ norms }) => norms);

const tested = new Set(
  readdirSync(join(ROOT, 'test'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts') && !file.startsWith('pages/standards'))
    .flatMap((file) => readPage(`test/${file}`).match(NORM) ?? []),
);

describe('list of standard requirements in ASSURANCE.md', () => {
  test('ASSURANCE.md lists each requirement of OAuth and OpenID Connect', () => {
    const parts = [[1, 72] as const, [80, 95] as const];
    const demanded = parts.flatMap(([first, last]) =>
      Array.from({ length: last - first + 1 }, (_, i) => `N${String(first + i).padStart(3, '0')}`),
    );
    expect(demanded.filter((id) => !found.includes(id))).toEqual([]);
  });

  test('ASSURANCE.md lists no requirement twice', () => {
    expect(found.filter((id, index) => found.indexOf(id) !== index)).toEqual([]);
  });

  test('each requirement in ASSURANCE.md is named by a test or marked as not supported', () => {
    const untested = rows.flatMap(({ norms, answer }) =>
      /^Not supported: \w/.test(answer) ? [] : norms.filter((id) => !tested.has(id)),
    );
    expect(untested).toEqual([]);
  });

  test('ASSURANCE.md lists each requirement that a test title names', () => {
    expect([...tested].filter((id) => !found.includes(id))).toEqual([]);
  });
});

const demands = tableRows(readPage('test/ASSURANCE.md')).filter((cells) => cells.length === 4);

test('each attack and each requirement in ASSURANCE.md names existing tests', () => {
  expect(demands.length).toBeGreaterThan(120);
  const tests = demands.map((cells) => cells.at(-1) ?? '');
  expect(tests.filter((cell) => !/N\d{3}|`/.test(cell))).toEqual([]);
  const files = [...tests.join().matchAll(/`([a-z0-9/-]+)`/g)].map(([, file]) => `test/${file}.test.ts`);
  expect(files.length).toBeGreaterThan(50);
  expect(files.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
});

test('ASSURANCE.md names each test file in the folders attacks and stories', () => {
  const page = readPage('test/ASSURANCE.md');
  const files = ['attacks', 'stories'].flatMap((folder) =>
    readdirSync(join(ROOT, 'test', folder))
      .filter((file) => file.endsWith('.test.ts'))
      .map((file) => `${folder}/${file.replace('.test.ts', '')}`),
  );
  expect(files.length).toBeGreaterThan(24);
  expect(files.filter((file) => !page.includes(`\`${file}\``))).toEqual([]);
});
