import { existsSync } from 'node:fs';
import { expect } from '@jest/globals';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { examineByAxe } from './axe.ts';
import type { World } from './world.ts';

/** A person with a browser. Tests of pages are skipped where there is none. */

const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(
  existsSync,
);

/** Whether there is a Chromium; says so if not. */
export function hasChromium(what: string): boolean {
  if (!executablePath) console.warn(`Skipped: ${what} (no Chromium found; apt-get install chromium)`);
  return executablePath !== undefined;
}

export function launchChromium(): Promise<Browser> {
  return chromium.launch({ ...(executablePath && { executablePath }), args: ['--no-sandbox'] });
}

export const PHONE = { width: 390, height: 844 };
export const DESKTOP = { width: 1280, height: 800 };

export interface Visitor {
  readonly page: Page;
  /** What the console, a script or a foreign address had to say; must be nothing in the end. */
  readonly complaints: string[];
  /** What axe objects to on the page as it is; needs scripts. */
  isAccessible(): Promise<void>;
  /** The answer at the redirect URI. */
  arrival(): Promise<URL>;
}

async function expectAccessible(page: Page): Promise<void> {
  const { violations } = await examineByAxe(page);
  expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
}

/** A visit with cookies of its own, which ends at `callback`; nothing may complain on the way. */
export async function visit(
  {
    browser,
    world,
    callback,
  }: { readonly browser: Browser; readonly world: World; readonly callback: string },
  options: BrowserContextOptions,
  journey: (visitor: Visitor) => Promise<void>,
): Promise<void> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const complaints: string[] = [];
  const own = new URL(world.environment.base_url).origin;
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('request', (request) => {
    if (!request.url().startsWith('data:') && new URL(request.url()).origin !== own)
      complaints.push(request.url());
  });
  try {
    await journey({
      page,
      complaints,
      isAccessible: () => expectAccessible(page),
      async arrival() {
        await page.waitForURL(`${callback}?**`);
        return new URL(page.url());
      },
    });
    expect(complaints).toEqual([]);
  } finally {
    await context.close();
  }
}
