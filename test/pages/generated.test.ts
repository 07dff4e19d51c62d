import { test } from '@jest/globals';
import { generatedPages } from '../../lib/build/pages/generated-pages.ts';
import { readPage } from './support/markdown.ts';

test.each(Object.entries(generatedPages))('%s is up to date', (path, make) => {
  if (readPage(path) !== make()) throw new Error(`${path} is out of date; to refresh it: npm run pages`);
});
