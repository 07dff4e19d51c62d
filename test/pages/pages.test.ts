import { existsSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { operations } from '../../functions/operations.ts';
import { environmentNames } from '../../lib/stacks/environments/environment.ts';
import { isTablePort, listAccessByMethod } from '../../lib/stacks/functions/port-access.ts';
import packageJson from '../../package.json' with { type: 'json' };
import { tableLayouts } from '../../shared/dynamo/keys.ts';
import { effectivePorts } from '../../shared/http/effective-ports.ts';
import { listPaths } from '../../shared/http/path.ts';
import {
  listAnchors,
  listBlocks,
  listInlineCode,
  listLinks,
  listSentences,
  pages,
  ROOT,
  readPage,
  section,
  tableRows,
  withoutBlocks,
} from './support/markdown.ts';

const README_LINES_MAX = 200;
const PAGE_LINES_MAX = 400;
const COLUMNS_MAX = 120;
const WORDS_MAX = 30;

const readLines = (page: string) => readPage(page).trimEnd().split('\n');

describe.each(pages())('documentation page %s', (page) => {
  const markdown = readPage(page);

  test('no documentation page exceeds its maximum number of lines', () => {
    expect(readLines(page).length).toBeLessThanOrEqual(
      page === 'README.md' ? README_LINES_MAX : PAGE_LINES_MAX,
    );
  });

  test('documentation pages have no line over 120 characters and no sentence over 30 words', () => {
    const text = withoutBlocks(markdown).split('\n');
    expect(text.filter((line) => !line.startsWith('|') && line.length > COLUMNS_MAX)).toEqual([]);
    const long = listSentences(markdown).filter((sentence) => sentence.split(' ').length > WORDS_MAX);
    expect(long).toEqual([]);
  });

  test('a documentation page links only to existing files and headings', () => {
    const lost = listLinks(markdown).filter((target) => {
      if (/^(?:https?|mailto):/.test(target)) return false;
      const [file = '', anchor] = target.split('#');
      const path = file === '' ? page : normalize(join(dirname(page), file));
      if (path.startsWith('..') || !existsSync(join(ROOT, path))) return true;
      return anchor !== undefined && !listAnchors(readPage(path)).includes(anchor);
    });
    expect(lost).toEqual([]);
  });

  test('a documentation page names only existing files and npm scripts', () => {
    const paths = listInlineCode(markdown).filter((code) =>
      /^(?:functions|shared|lib|bin|test|\.ci)\/[\w./-]*$/.test(code),
    );
    expect(paths.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
    const scripts = [...markdown.matchAll(/npm run (?:--silent )?([a-z:-]+)/g)].map(([, name]) => name);
    expect(Object.keys(packageJson.scripts)).toEqual(expect.arrayContaining(scripts));
  });
});

test('CONTRIBUTING.md explains each npm script, and there are at most 18', () => {
  const scripts = Object.keys(packageJson.scripts);
  expect(scripts.length).toBeLessThanOrEqual(18);
  const explained = tableRows(section(readPage('CONTRIBUTING.md'), 'Set up')).map(([command]) => command);
  const toCommand = (name: string) =>
    name === 'test' || name === 'start' ? `\`npm ${name}\`` : `\`npm run ${name}\``;
  expect(explained).toEqual(expect.arrayContaining(scripts.map(toCommand)));
});

test('every documentation page is linked from another page', () => {
  const linked = pages().flatMap((page) =>
    listLinks(readPage(page)).map((target) => normalize(join(dirname(page), target.split('#')[0] ?? ''))),
  );
  expect(pages().filter((page) => page !== 'README.md' && !linked.includes(page))).toEqual([]);
});

test.each(['npm ci && npm start', 'npm ci && npm test'])(
  'the README has the command %s in a separate code block',
  (command) => {
    expect(listBlocks('bash', readPage('README.md'))).toContain(`${command}\n`);
  },
);

describe('documentation page of the local server', () => {
  const page = readPage('lib/local/README.md');

  test('the documentation page of the local server lists every environment variable', () => {
    const read = [...readPage('bin/start.ts').matchAll(/\benv\.([A-Z_]+)/g)].map(([, name]) => name);
    const rows = tableRows(page).map(([name]) => name);
    expect(rows).toEqual(expect.arrayContaining(['LOG_LEVEL', ...read].map((name) => `\`${name}\``)));
  });

  test('the documentation page of the local server lists every URL path', () => {
    const subjects = readPage('lib/local/local-pages.ts').matchAll(/subject === '(\w+)'/g);
    const expected = new Set([...subjects].map(([, subject]) => `/_local/${subject}`));
    expect(expected.size).toBeGreaterThan(5);
    expect([...expected].filter((address) => !page.includes(address))).toEqual([]);
  });
});

const PATHS = Object.values(operations).flatMap(listPaths);
const PATTERNS = PATHS.map(
  (path) => new RegExp(`^${path.replaceAll('.', '[.]').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
);

/** Returns true if an operation has the path. A path that ends with `/` or `/…` matches all paths with this prefix. */
function isServed(path: string): boolean {
  const beginning = /^(.*\/)…?$/.exec(path)?.[1];
  if (beginning !== undefined) return PATHS.some((each) => each.startsWith(beginning));
  return PATTERNS.some((pattern) => pattern.test(path));
}

test.each(pages())('the documentation page %s contains only paths of existing operations', (page) => {
  const named = readPage(page).matchAll(/(?<![\w.-])(?:\/cis)?(\/(?:oidc|v1)\/[\w{}/.:-]*…?)/g);
  const paths = [...named].map(([, path = '']) => path.replace(/[.:]+$/, ''));
  expect(paths.filter((path) => !isServed(path))).toEqual([]);
});

test('the documentation page about the data model lists every table and every key prefix', () => {
  const data = section(readPage('shared/README.md'), 'Data model');
  for (const name of Object.keys(tableLayouts)) expect(data).toContain(`\`${name}\``);
  const prefixes = Object.values(operations)
    .flatMap(effectivePorts)
    .filter(isTablePort)
    .flatMap((port) => Object.values(listAccessByMethod(port)).flat())
    .filter(({ index }) => index === undefined)
    .map(({ prefix }) => prefix.replace('#', ''));
  expect(prefixes).toContain('otp');
  expect(prefixes.filter((prefix) => !data.includes(`\`${prefix}`))).toEqual([]);
});

test('the documentation page about the stacks lists every environment', () => {
  const page = section(readPage('lib/README.md'), 'Environments');
  expect(environmentNames.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});
