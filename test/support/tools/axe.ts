import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

/** The short form: a browser reads it anew with every page. */
const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe says of the page as it is; needs scripts. The initial of a brand is too short for it, and said beside it. */
export async function examineByAxe(page: Page): Promise<Pick<AxeResults, 'violations' | 'incomplete'>> {
  await page.evaluate(source);
  return page.evaluate<AxeResults>(
    "axe.run({ exclude: ['.app svg', 'iframe[sandbox]'] }, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'], resultTypes: ['violations', 'incomplete'] })",
  );
}
