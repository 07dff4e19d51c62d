import { afterAll, beforeAll, expect } from '@jest/globals';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { examineByAxe } from './axe.ts';
import { complaintsOf, launchChromium } from './chromium.ts';
import { type HostedLogin, hostedLogin } from './hosted-login.ts';
import { startWorld, type World } from './world.ts';

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

/** Where people with a browser log in: what the tests of one block share. */
export interface Place {
  readonly world: World;
  readonly login: HostedLogin;
  /** A redirect URI with a page. */
  readonly callback: string;
  /** A visit with cookies of its own, which ends at `callback`; nothing may complain on the way. */
  visit(options: BrowserContextOptions, journey: (visitor: Visitor) => Promise<void>): Promise<void>;
}

/** A world and a browser for the tests of the block that calls it; there from its `beforeAll` on. */
export function usePlace(): Place {
  const place = {} as Place;
  let browser: Browser;
  beforeAll(async () => {
    const world = await startWorld({ rateLimits: 'off' });
    const callback = world.environment.redirect_uris.find((uri) => uri.includes('/_local/')) ?? '';
    browser = await launchChromium();
    Object.assign(place, {
      world,
      callback,
      login: hostedLogin(world),
      visit: visitor(browser, new URL(world.environment.base_url).origin, callback),
    } satisfies Place);
  }, START_MILLISECONDS);
  afterAll(async () => {
    await browser.close();
    await place.world.stop();
    place.world.expectNoViolations();
  });
  return place;
}

const START_MILLISECONDS = 30_000;

function visitor(browser: Browser, origin: string, callback: string): Place['visit'] {
  return async (options, journey) => {
    const context = await browser.newContext(options);
    const page = await context.newPage();
    const complaints = complaintsOf(page, origin);
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
  };
}
