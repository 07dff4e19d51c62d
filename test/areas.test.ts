import { expect, test } from '@jest/globals';
import { areas, chooseAreas, findArea, withNeeds } from '../functions/areas.ts';
import { background } from '../functions/background.ts';
import { consoleOperations, operations } from '../functions/operations.ts';
import { sourceFiles } from './support/tools/source.ts';

const rows = Object.values({ ...operations, ...consoleOperations });
const findFunctionArea = ({ file }: { readonly file: string }) => findArea(`functions/${file}.ts`);

/** Imports that are allowed although a deployment may lack the imported service area. Each value is the reason. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'functions/events/notices.ts -> functions/events/operator-notices.ts':
    'One queue holds all notices. Without operators it gets no event of theirs.',
  'functions/oauth/token.ts -> functions/oauth/token-exchange-grant.ts':
    'The token endpoint is one function with a table of grants, and this grant is a row of the table.',
  'functions/oauth/authorization/authorize.ts -> shared/flows/agents/document-context.ts':
    'The authorization endpoint is one function, for clients by document and all others.',
};

test('every Lambda function is assigned to a service area', () => {
  const lost = [...rows, ...Object.values(background)].filter((row) => findFunctionArea(row) === undefined);
  expect(lost.map(({ file }) => file)).toEqual([]);
});

test('the core areas are part of every deployment', () => {
  expect(chooseAreas([]).join(' ')).toBe(
    'one-time oauth sessions users resources management meta events deployment',
  );
});

test('a file belongs to the area with the longest matching path prefix', () => {
  expect(findArea('functions/oauth/token.ts')).toBe('oauth');
  expect(findArea('functions/oauth/authorization/authorize.ts')).toBe('hosted-login');
  expect(findArea('functions/oauth/token-exchange-grant.ts')).toBe('moving');
});

test('each function stack contains Lambda functions of only one service area', () => {
  const stacks = Object.groupBy(rows, ({ event }) => event.split('/', 1)[0] ?? event);
  const mixed = Object.entries(stacks).filter(([, own = []]) => new Set(own.map(findFunctionArea)).size > 1);
  expect(mixed.map(([stack]) => stack)).toEqual([]);
});

test('every path prefix in the table of service areas matches an existing file', () => {
  const beginnings = Object.values(areas).flatMap(({ also = [] }) => also);
  expect(beginnings.filter((start) => !sourceFiles.some(({ path }) => path.startsWith(start)))).toEqual([]);
});

test('API operations import only files of the core, of their own service area and of areas that it requires', () => {
  const isTable = (path: string) => /^functions\/[^/]+\.ts$|\/rows\.ts$/.test(path);
  const foreign = sourceFiles
    .filter(({ path }) => /^(?:functions|shared)\//.test(path) && !isTable(path))
    .flatMap(({ path, imports }) => {
      const own = findArea(path);
      const deployed = withNeeds(own === undefined ? [] : [own]);
      const isForeign = (target: string) => {
        const area = findArea(target);
        return area !== undefined && !deployed.has(area);
      };
      return imports.filter(({ target }) => isForeign(target)).map(({ target }) => `${path} -> ${target}`);
    });
  expect(foreign.toSorted()).toEqual(Object.keys(EXCEPTIONS).toSorted());
  expect(foreign.length).toBeLessThanOrEqual(10);
});
