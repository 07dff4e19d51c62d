import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

/** Minified source of axe. The minified version is used because the browser parses it on each page. */
const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * Returns the accessibility findings of axe on the current page. The page must allow scripts. Ignores the brand mark (a single
 * letter), which axe finds too short, because the name of the brand is shown next to it.
 */
export async function examineByAxe(page: Page): Promise<Pick<AxeResults, 'violations' | 'incomplete'>> {
  await page.evaluate(source);
  return page.evaluate<AxeResults>(
    "axe.run({ exclude: ['.app svg', 'iframe[sandbox]'] }, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'], resultTypes: ['violations', 'incomplete'] })",
  );
}
