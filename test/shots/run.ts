import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Browser, chromium } from 'playwright-core';
import { startTestServer } from '../support/server/test-server.ts';
import { chromiumPath } from '../support/tools/chromium-path.ts';

// Takes screenshots of all hosted pages, messages and console screens into a folder: on a phone and a desktop, in light and dark
// mode. Usage: npm run pages:shots -- [<part of a name>…] [--language de] [--out dist/shots]

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { language: { type: 'string', default: 'en' }, out: { type: 'string', default: 'dist/shots' } },
});

const VIEWPORTS = { phone: { width: 390, height: 844 }, desktop: { width: 1280, height: 800 } } as const;
const SCHEMES = ['light', 'dark'] as const;

/** Screen to take, with the URL that opens it. */
interface Screen {
  readonly name: string;
  readonly url: string;
}

const isWanted = ({ name }: Screen) =>
  positionals.length === 0 || positionals.some((part) => name.includes(part));

/** Reads the links of a page from its HTML. */
const readLinks = (html: string, pattern: RegExp) => [
  ...new Set([...html.matchAll(pattern)].map(([, href = '']) => href.replaceAll('&amp;', '&'))),
];

/** Lists the pages and messages of the preview. */
async function listPreview(origin: string): Promise<Screen[]> {
  const gallery = await fetch(`${origin}/_local/preview?language=${values.language}`);
  return readLinks(await gallery.text(), /<a href="(\/_local\/preview\/[^"]+)"/g).map((href) => ({
    name: href.split(/[/?]/)[3] ?? '',
    url: `${origin}${href}`,
  }));
}

/** Lists the screens of the console that its navigation links to, after a login of the demo operator in this browser. */
async function listConsole(browser: Browser, enter: string) {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(enter);
  await page.getByRole('navigation').waitFor();
  const hrefs = await page.locator('nav a').evaluateAll((links) => links.map((link) => String(link)));
  const screens = [...new Set(hrefs)].map((url) => ({
    name: `console${new URL(url).pathname.replaceAll(/[^a-z0-9]+/g, '-').replace(/-$/, '')}`,
    url,
  }));
  return { screens, state: await context.storageState().finally(() => context.close()) };
}

const server = await startTestServer({ rateLimits: 'off' });
const browser = await chromium.launch({
  ...(chromiumPath && { executablePath: chromiumPath }),
  args: ['--no-sandbox'],
});
try {
  const origin = server.url.replace('127.0.0.1', 'localhost');
  const { screens, state } = await listConsole(browser, `${origin}/_local/console`);
  const wanted = [...(await listPreview(origin)), ...screens].filter(isWanted);
  mkdirSync(values.out, { recursive: true });
  for (const [device, viewport] of Object.entries(VIEWPORTS))
    for (const colorScheme of SCHEMES) {
      const context = await browser.newContext({ viewport, colorScheme, storageState: state });
      const page = await context.newPage();
      for (const { name, url } of wanted) {
        await page.goto(url);
        const path = join(values.out, `${name}-${device}-${colorScheme}.png`);
        await page.screenshot({ path, fullPage: true, animations: 'disabled' });
      }
      await context.close();
    }
  console.log(`${wanted.length} screens in ${values.out}`);
} finally {
  await browser.close();
  await server.stop();
}
