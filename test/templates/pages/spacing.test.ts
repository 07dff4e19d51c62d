import { readFile } from 'node:fs/promises';
import { expect, test } from '@jest/globals';

const SHEETS = [
  'shared/templates/parts/style.ts',
  'functions/console/engine/page.ts',
  ...['callback', 'inbox', 'parts', 'playground', 'style'].map((name) => `lib/local/pages/${name}.css`),
];

/** Text size that does not depend on the size of the surrounding text. */
const SIZE = /(?<![\w-])font(?:-size)?: ?(?:\d00 )?([\d.]+(?:rem|px)|var\(--text-\d\))/g;
const SPACING = /(?<![\w-])(?:margin|padding|(?:row-|column-)?gap)(?:-[a-z-]+)?: ?([^;}]+)/g;
/** Length of more than 2px that does not depend on the size of the text. It may be part of a calculation. */
const LENGTH = /(?<![\w.(-])-?(?![12]px)[\d.]+(?:rem|px)/;

test.each(SHEETS)('%s takes margins, paddings and gaps from the spacing scale', async (file) => {
  const found = (await readFile(file, 'utf8')).matchAll(SPACING);
  const values = Array.from(found, ([, value = '']) => value);
  expect(values.length).toBeGreaterThan(0);
  expect(values.filter((value) => LENGTH.test(value.replaceAll(/calc\(.*\)|clamp\(.*\)/g, '')))).toEqual([]);
});

test.each(SHEETS)('%s takes its text sizes from the scale', async (file) => {
  const lines = (await readFile(file, 'utf8')).split('\n').filter((line) => !line.includes('svg.chart'));
  const sizes = Array.from(lines.join('\n').matchAll(SIZE), ([, size = '']) => size);
  expect(sizes.length).toBeGreaterThan(0);
  expect(sizes.filter((size) => !size.startsWith('var('))).toEqual([]);
});
