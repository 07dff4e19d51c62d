import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { environmentNames } from '../../lib/stacks/environments/environment.ts';
import { listBlocks, pages, ROOT, readPage, section } from './support/markdown.ts';
import { complaintAbout, listCommandLines, listOtlLines } from './support/otl-commands.ts';

const QUICKSTARTS = 'test/quickstarts/README.md';
const TOUR = 'test/pages/tour.test.ts';
const OF_QUICKSTARTS = 'test/quickstarts/run.ts';
const OF_CLIENT = 'test/client/package.test.ts';
const OF_PACKAGE = 'test/package/run.ts';

/** Tests that run the code blocks of the pages for newcomers, by page and section. Undefined means that a block needs AWS. */
const RUN: Readonly<Record<string, Readonly<Record<string, string | undefined>>>> = {
  'README.md': {
    Start: '.ci/run',
    'Make it yours': TOUR,
    'A tour': TOUR,
    'How it works': 'a drawing',
    'Deploy in nine lines': undefined,
  },
  [QUICKSTARTS]: {
    Start: OF_QUICKSTARTS,
    Express: OF_QUICKSTARTS,
    'Single page': OF_QUICKSTARTS,
    API: OF_QUICKSTARTS,
    'Auth.js': OF_QUICKSTARTS,
    'Next.js': OF_QUICKSTARTS,
    Passkeys: OF_QUICKSTARTS,
    'MCP server': OF_QUICKSTARTS,
    Playwright: OF_PACKAGE,
  },
  'lib/client/README.md': {
    'Log a user in': OF_CLIENT,
    'Verify tokens': OF_CLIENT,
    'Protect an API': OF_CLIENT,
    'Take webhooks': OF_CLIENT,
  },
  'lib/local/for-tests/README.md': {
    Node: OF_PACKAGE,
    Jest: OF_PACKAGE,
    Vitest: OF_PACKAGE,
    Playwright: OF_PACKAGE,
  },
  'bin/README.md': { 'Try it': TOUR, 'A code did not come': TOUR },
};

const headings = (markdown: string) => [...markdown.matchAll(/^## (.+)$/gm)].map(([, name = '']) => name);
const hasBlock = (markdown: string) => /^ *```/m.test(markdown);

test.each(Object.entries(RUN))(
  'each code block on the page %s is run by a test or needs AWS',
  (page, runs) => {
    const markdown = readPage(page);
    const found = headings(markdown).filter((heading) => hasBlock(section(markdown, heading)));
    expect(found).toEqual(Object.keys(runs));
    for (const [heading, runner] of Object.entries(runs)) {
      if (runner === undefined || !runner.includes('.ts')) continue;
      const code = readFileSync(join(ROOT, runner), 'utf8');
      // The test of the typed client runs every code block of the client page, so it does not name the sections.
      expect(code).toContain(runner === OF_CLIENT ? page : `'${heading}'`);
      expect(code).toContain(page);
    }
  },
);

const NUMBERS = ['two', 'six', 'seven', 'eight'];
const LENGTHS = [2, 6, 7, 8];

test('each quickstart states how many commands it has', () => {
  const markdown = readPage(QUICKSTARTS);
  for (const heading of headings(markdown).filter((each) => hasBlock(section(markdown, each)))) {
    const text = section(markdown, heading);
    const [, number = ''] = /(\w+)(?: more)? commands/.exec(text) ?? [];
    const commands = listBlocks('bash', text).flatMap((block) =>
      block.replaceAll(/\\\n/g, '').trim().split('\n'),
    );
    expect([heading, LENGTHS[NUMBERS.indexOf(number)]]).toEqual([heading, commands.length]);
  }
});

test('each otl command on a documentation page exists', () => {
  const lines = pages().flatMap((page) => listOtlLines(readPage(page)));
  expect(lines.length).toBeGreaterThan(120);
  expect(lines.flatMap((line) => complaintAbout(line) ?? [])).toEqual([]);
});

test('the test of otl commands in the documentation detects an unknown command', () => {
  for (const line of [
    'otl keys burn',
    'otl user unlock --loudly yes <user>',
    'otl user show one another',
    'otl application add-redirect-uri <id> --url <uri>',
    'otl restore check --of people',
    'otl logs tail --twice',
    'otl --env moon keys list',
  ])
    expect(complaintAbout(line)).toContain(line);
});

test('each cdk command in the documentation names only existing stacks', () => {
  const lines = pages().flatMap((page) =>
    listCommandLines(readPage(page)).filter((line) => line.startsWith('npx cdk ')),
  );
  const stacks = `'\\*\\*/otl-(?:${environmentNames.join('|')})-\\*'`;
  const atOnce = '(?: --concurrency 10 --require-approval never)?';
  const edges = "'\\*\\*/otl-eu-edge' '\\*\\*/otl-eu-console-edge' --exclusively";
  const known = new RegExp(
    `^npx cdk (?:bootstrap aws://|(?:diff|destroy) ${stacks}$|deploy ${stacks}${atOnce}$|deploy ${edges}$|deploy$)`,
  );
  expect(lines.length).toBeGreaterThan(5);
  expect(lines.filter((line) => !known.test(line))).toEqual([]);
});
