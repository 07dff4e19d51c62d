import { afterAll, describe } from '@jest/globals';
import { type Browser, chromium, type Page } from 'playwright-core';
import { chromiumPath as executablePath } from './chromium-path.ts';

const launches: Promise<Browser>[] = [];

/** Closes all browsers, including one that started after its hook had timed out and would keep this process alive. */
async function closeAll(): Promise<void> {
  for (const launch of launches.splice(0))
    await launch.then((browser) => browser.close()).catch(() => undefined);
}

/** Defines a block of tests that need Chromium. Skips the tests with a message if Chromium is not installed. */
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
    // People see scrollbars, which make a page narrower.
    ignoreDefaultArgs: ['--hide-scrollbars'],
  });
  launches.push(launch);
  const browser = await launch;
  // Playwright's default of 30 s is too short for a busy machine. The limit is lower than the time limit of a test (90 s).
  return browser.on('context', (context) => context.setDefaultTimeout(80_000));
}

/** Console message that is ignored. On a busy machine, a test may type before Chromium sets the focus. */
const TYPED_EARLY = 'Autofocus processing was blocked because a document already has a focused element.';

/** Script errors that are ignored. Chromium skips view transitions to a hidden page and to pages that are not hosted pages. */
const NO_TRANSITION = /\bTransition was (?:aborted|skipped)\b/;

/** Returns a list to which the console messages, script errors and requests to other hosts of a page are added. */
export function collectComplaints(page: Page, own: string | RegExp): string[] {
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.text() !== TYPED_EARLY) complaints.push(message.text());
  });
  page.on('pageerror', (error) => {
    if (!NO_TRANSITION.test(String(error))) complaints.push(String(error));
  });
  page.on('request', (request) => {
    const url = request.url();
    const isOwn = typeof own === 'string' ? new URL(url).origin === own : own.test(url);
    if (!isOwn && !url.startsWith('data:')) complaints.push(url);
  });
  return complaints;
}

/** URLs of test servers, on any port. */
export const LOOPBACK = /^http:\/\/127\.0\.0\.1:/;
