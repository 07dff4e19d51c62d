// Cookie that decides whether a browser is offered a passkey at a tenant. The script of the first page sets it if the device
// supports passkeys. After the first answer, the cookie is hidden from scripts (HttpOnly) and contains the answers of this
// browser's users, so that no login has to store or read them elsewhere.
import { BROWSER_COOKIE_SECONDS, PASSKEY_ANSWERS_MAX, PASSKEY_OFFER_AGAIN_SECONDS } from '../basis/limits.ts';
import { hashSecret } from '../basis/random.ts';

/** Returns the name of a tenant's passkey cookie. All tenants share one host, so each tenant needs a separate cookie. */
export function passkeyCookieName(tenantId: string): `__Host-${string}` {
  return `__Host-passkey-${tenantId}`;
}

interface Answer {
  /** Prefix of a hash of the user ID: long enough to distinguish the users of one browser, too short to identify a user. */
  readonly who: string;
  /** True if the user has a passkey in this browser, false if they declined to create one. */
  readonly has: boolean;
  /** Time in epoch seconds at which the user's answer to the offer expires. */
  readonly until: number;
}

const ENTRY = /^([\w-]{8})([yn])(\d{10})$/;

const toHashPrefix = (userId: string) => hashSecret(userId).slice(0, 8);

function readAnswers(cookie: string, now: number): readonly Answer[] {
  const entries = cookie.split('.').map((entry) => ENTRY.exec(entry));
  return entries.flatMap((found) => {
    const [, who, mark, end] = found ?? [];
    const until = Number(end);
    return who !== undefined && until > now ? [{ who, has: mark === 'y', until }] : [];
  });
}

/** Returns true if a passkey may be offered: the device supports passkeys, and the user's last answer has expired. */
export function mayOfferPasskey(cookie: string | undefined, userId: string, now: number): boolean {
  const who = toHashPrefix(userId);
  return cookie !== undefined && !readAnswers(cookie, now).some((answer) => answer.who === who);
}

/** Returns true if a user has logged in with a passkey, or created a passkey, in this browser. */
export function hasUsedPasskey(cookie: string | undefined, now: number): boolean {
  return readAnswers(cookie ?? '', now).some(({ has }) => has);
}

/** Returns the passkey cookie with a user's answer, which replaces their earlier answer. */
export function withOfferAnswer(
  cookie: string | undefined,
  { userId, has }: { readonly userId: string; readonly has: boolean },
  now: number,
): { readonly value: string; readonly maxAgeSeconds: number } {
  const who = toHashPrefix(userId);
  const mine = { who, has, until: now + (has ? BROWSER_COOKIE_SECONDS : PASSKEY_OFFER_AGAIN_SECONDS) };
  const others = readAnswers(cookie ?? '', now).filter((answer) => answer.who !== who);
  const answers = [mine, ...others].slice(0, PASSKEY_ANSWERS_MAX);
  return {
    value: answers.map((answer) => `${answer.who}${answer.has ? 'y' : 'n'}${answer.until}`).join('.'),
    maxAgeSeconds: Math.max(...answers.map(({ until }) => until)) - now,
  };
}
