import { expect, test } from '@jest/globals';
import { generatedPages } from '../../lib/build/pages/generated-pages.ts';
import { readPage } from './support/markdown.ts';

test.each(Object.entries(generatedPages))('%s is up to date with npm run pages', (path, make) => {
  expect(readPage(path)).toBe(make());
});
