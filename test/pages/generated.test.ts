import { expect, test } from '@jest/globals';
import { generatedPages } from '../../lib/build/pages/generated-pages.ts';
import { readPage } from './support/markdown.ts';

test.each(Object.entries(generatedPages))('%s is what npm run pages writes', (path, make) => {
  expect(readPage(path)).toBe(make());
});
