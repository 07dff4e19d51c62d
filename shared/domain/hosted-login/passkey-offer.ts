import { BROWSER_COOKIE_SECONDS, PASSKEY_ANSWERS_MAX, PASSKEY_OFFER_AGAIN_SECONDS } from '../basis/limits.ts';
import { hashSecret } from '../basis/random.ts';

/**
 * The cookie that says whether a browser is offered a passkey at a tenant. The script of the first page sets it where the device
 * can hold one. From the first answer on it is hidden from scripts and holds what users have answered here: no login has to read
 * or write that anywhere.
 */

/** Tenants share the host, so each has its own cookie. */
export function passkeyCookieName(tenantId: string): `__Host-${string}` {
  return `__Host-passkey-${tenantId}`;
}

interface Answer {
  /** Enough to tell users of one browser apart, too little to name one. */
  readonly who: string;
  /** The user has a passkey here; else they want none for now. */
  readonly has: boolean;
  /** Epoch seconds. */
  readonly until: number;
}

const ENTRY = /^([\w-]{8})([yn])(\d{10})$/;

const whoIs = (userId: string) => hashSecret(userId).slice(0, 8);

function readAnswers(cookie: string, now: number): readonly Answer[] {
  const entries = cookie.split('.').map((entry) => ENTRY.exec(entry));
  return entries.flatMap((found) => {
    const [, who, mark, end] = found ?? [];
    const until = Number(end);
    return who !== undefined && until > now ? [{ who, has: mark === 'y', until }] : [];
  });
}

/** Whether to offer a passkey: the device can hold one, and the user has not answered lately. Times in epoch seconds. */
export function mayOfferPasskey(cookie: string | undefined, userId: string, now: number): boolean {
  const who = whoIs(userId);
  return cookie !== undefined && !readAnswers(cookie, now).some((answer) => answer.who === who);
}

/** Whether a user has logged in here with a passkey, or made one here. */
export function holdsPasskey(cookie: string | undefined, now: number): boolean {
  return readAnswers(cookie ?? '', now).some(({ has }) => has);
}

/** The cookie with what a user has answered, in the place of their answer before. */
export function withAnswer(
  cookie: string | undefined,
  { userId, has }: { readonly userId: string; readonly has: boolean },
  now: number,
): { readonly value: string; readonly maxAgeSeconds: number } {
  const who = whoIs(userId);
  const mine = { who, has, until: now + (has ? BROWSER_COOKIE_SECONDS : PASSKEY_OFFER_AGAIN_SECONDS) };
  const others = readAnswers(cookie ?? '', now).filter((answer) => answer.who !== who);
  const answers = [mine, ...others].slice(0, PASSKEY_ANSWERS_MAX);
  return {
    value: answers.map((answer) => `${answer.who}${answer.has ? 'y' : 'n'}${answer.until}`).join('.'),
    maxAgeSeconds: Math.max(...answers.map(({ until }) => until)) - now,
  };
}
