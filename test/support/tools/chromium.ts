import { afterAll, describe } from '@jest/globals';
import { type Browser, chromium, type Page } from 'playwright-core';
import { chromiumPath as executablePath } from './chromium-path.ts';

const launches: Promise<Browser>[] = [];

/** A browser that comes when its hook has run out of time would keep this process from ending. */
async function closeAll(): Promise<void> {
  for (const launch of launches.splice(0))
    await launch.then((browser) => browser.close()).catch(() => undefined);
}

/** Tests that need a browser; where there is none they are skipped aloud. */
export function describeInBrowser(name: string, body: () => void): void {
  if (!executablePath)
    console.warn(`Skipped: ${name} (no Chromium found; apt-get install chromium-headless-shell)`);
  (executablePath ? describe : describe.skip)(name, () => {
    body();
    afterAll(closeAll);
  });
}

export async function launchChromium(...args: readonly string[]): Promise<Browser> {
  const launch = chromium.launch({
    ...(executablePath && { executablePath }),
    args: ['--no-sandbox', ...args],
  });
  launches.push(launch);
  const browser = await launch;
  // On a busy machine a page may take longer than Playwright's 30 seconds; a test ends after 90.
  return browser.on('context', (context) => context.setDefaultTimeout(80_000));
}

/** On a busy machine a test may type before Chromium gives the focus that the page asks for. */
const TYPED_EARLY = 'Autofocus processing was blocked because a document already has a focused element.';

/** What the console, a script or a foreign address will have had to say on this page; a list that grows. */
export function complaintsOf(page: Page, own: string | RegExp): string[] {
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.text() !== TYPED_EARLY) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('request', (request) => {
    const url = request.url();
    const isOwn = typeof own === 'string' ? new URL(url).origin === own : own.test(url);
    if (!isOwn && !url.startsWith('data:')) complaints.push(url);
  });
  return complaints;
}

/** Servers of these tests, whatever their port. */
export const LOOPBACK = /^http:\/\/127\.0\.0\.1:/;
