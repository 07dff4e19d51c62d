import { expect } from '@jest/globals';
import { BrowserJar, type BrowserPage } from './browser-jar.ts';
import type { codeBased } from './code-based.ts';
import { createUser, newEmail, newPhoneNumber } from './people.ts';
import type { World } from './world.ts';

/** People with an address and a number, who log in by section C in browsers of their own, with two factors unless told otherwise. */

export interface Person {
  readonly email: string;
  readonly phone_number: string;
  readonly user_id: string;
}

const TWO_FACTORS = { require_mfa: true };

/** `place` is asked at each call: a test makes its world, and its client's token, after it has been read. */
export function codeBasedPeople(
  place: () => {
    readonly world: World;
    readonly c: ReturnType<typeof codeBased>;
    readonly redirect_uri: string;
  },
) {
  const newBrowser = () => new BrowserJar(new URL(place().world.environment.base_url).origin);
  const loginCookie = () => `__Host-login-${place().world.environment.tenant_id}`;

  async function somebody(): Promise<Person> {
    const person = { email: newEmail(), phone_number: newPhoneNumber() };
    return { ...person, user_id: (await createUser(place().world, person)).user_id };
  }

  /** The parameters with which the browser came back to the caller. */
  function cameBack(page: BrowserPage): Record<string, string> {
    if (!page.left) throw new Error(`did not come back: ${page.status} ${page.html}`);
    expect(`${page.left.origin}${page.left.pathname}`).toBe(place().redirect_uri);
    return Object.fromEntries(page.left.searchParams);
  }

  const byEmail = async (browser: BrowserJar, { email }: Person, fields: object = TWO_FACTORS) =>
    cameBack(await browser.open(await place().c.resultByEmail(email, fields)));
  const bySms = async (browser: BrowserJar, { phone_number }: Person, fields: object = TWO_FACTORS) =>
    cameBack(await browser.open(await place().c.resultBySms(phone_number, fields)));
  async function continuePage(browser: BrowserJar, { email }: Person): Promise<BrowserPage> {
    await place().c.sendLink({ email, ...TWO_FACTORS });
    return browser.open(await place().c.lastLink(email));
  }

  return { newBrowser, loginCookie, somebody, cameBack, byEmail, bySms, continuePage };
}
