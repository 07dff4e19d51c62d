import { readFile } from 'node:fs/promises';
import { expect, test } from '@jest/globals';

const SHEETS = [
  'shared/templates/parts/style.ts',
  'functions/console/engine/page.ts',
  ...['callback', 'inbox', 'parts', 'playground', 'style'].map((name) => `lib/local/pages/${name}.css`),
];

const SPACING = /(?<![\w-])(?:margin|padding|(?:row-|column-)?gap)(?:-[a-z-]+)?: ?([^;}]+)/g;
/** Length of more than 2px that does not depend on the size of the text. It may be part of a calculation. */
const LENGTH = /(?<![\w.(-])-?(?![12]px)[\d.]+(?:rem|px)/;

test.each(SHEETS)('%s takes margins, paddings and gaps from the spacing scale', async (file) => {
  const found = (await readFile(file, 'utf8')).matchAll(SPACING);
  const values = Array.from(found, ([, value = '']) => value);
  expect(values.length).toBeGreaterThan(0);
  expect(values.filter((value) => LENGTH.test(value.replaceAll(/calc\(.*\)|clamp\(.*\)/g, '')))).toEqual([]);
});
