import { expect, test } from '@jest/globals';
import { generatedPages } from '../../lib/build/pages/generated-pages.ts';
import { readPage } from './support/markdown.ts';

test.each(Object.entries(generatedPages))(
  'the generated documentation page %s equals the output of npm run pages',
  (path, make) => {
    expect(readPage(path)).toBe(make());
  },
);
