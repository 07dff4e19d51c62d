import { describe, expect, test } from '@jest/globals';
import { readBrowser } from '../../../shared/domain/basis/browser.ts';
import {
  type PendingCredential,
  sealAddress,
} from '../../../shared/domain/hosted-login/login-transaction.ts';
import type { LoginContext } from '../../../shared/flows/hosted-login/login-context.ts';
import {
  buildFeedback,
  findLockedCode,
  readLockSeconds,
  showState,
} from '../../../shared/flows/hosted-login/show-page.ts';
import type { Application } from '../../../shared/ports/directory.ts';
import type { PageError } from '../../../shared/templates/parts/form.ts';
import { someApplication, T } from '../../support/server/records.ts';

const browser = readBrowser({});
const pending: PendingCredential = {
  ...{ kind: 'known', userId: 'ann', channel: 'email', codeKey: 'key', sentAt: T, expiresAt: T + 300 },
  sealedAddress: sealAddress(browser, 'ann@example.com'),
};
const email = { lockMinutes: 2 };

const makeContext = (
  progress: Partial<LoginContext['login']['progress']>,
  { now = T, ...application }: Partial<Application> & { readonly now?: number } = {},
) =>
  ({
    ...{ browser, now, language: 'en', brand: { name: 'Demo' } },
    application: someApplication({ loginPreferences: { email }, ...application }),
    login: { loginId: 'login', request: { createNewUser: false }, progress: { pending, ...progress } },
  }) as unknown as LoginContext;

describe('page that asks for a code', () => {
  function show(context: LoginContext, error?: PageError): string {
    const page = showState(context, { kind: 'identify' }, { error });
    return 'html' in page ? page.html : '';
  }

  /** Returns the seconds until the page offers another message, at `after` seconds after the first. */
  function readWait(after: number, rateLimits: Application['rateLimits'], error?: PageError): number {
    const context = makeContext({}, { now: T + after, rateLimits: rateLimits as never });
    return Number(/data-seconds="(\d+)"/.exec(show(context, error))?.[1] ?? 0);
  }
  const limited = { key: 'rate_limited', retryAfterSeconds: 40 } as const;

  test.each([
    ['the default limit', 0, undefined, undefined, 24],
    ['a limit of one message per minute', 0, { sendsPerMinute: 1 }, undefined, 60],
    ['a limit of sixty messages per minute', 0, { sendsPerMinute: 60 }, undefined, 2],
    ['the default limit, ten seconds after the message', 10, undefined, undefined, 14],
    ['the default limit, long after the message', 30, undefined, undefined, 0],
    ['an error that says when to try again', 10, undefined, limited, 40],
  ])('offers another message after the wait of %s', (_title, after, rateLimits, error, seconds) => {
    expect(readWait(after, rateLimits, error)).toBe(seconds);
  });

  test('is replaced by a page that says how long codes are locked', () => {
    const closed = { codeKey: 'key', until: T + 120, isFinal: false };
    const showClosed = (change: object) => show(makeContext({ closed: { ...closed, ...change } }));
    expect(showClosed({})).toContain('data-seconds="120"');
    expect(showClosed({ isFinal: true })).not.toContain('data-seconds');
    expect(showClosed({ until: T })).toContain('name="passcode"');
  });
});

test('a code is locked until its lock ends, or for the whole login', () => {
  const lock = { codeKey: 'key', until: T + 1, isFinal: false };
  const find = (change: Partial<typeof lock>, codeKey = 'key') =>
    findLockedCode(makeContext({ closed: { ...lock, ...change } }), codeKey);
  expect(find({})).toEqual(lock);
  expect(find({ until: T })).toBeUndefined();
  expect(find({ until: T, isFinal: true })).toEqual({ ...lock, until: T, isFinal: true });
  expect(find({ isFinal: true }, 'other')).toBeUndefined();
});

test('the time for which a code is locked is a setting of its channel', () => {
  expect(readLockSeconds(makeContext({}), pending)).toBe(120);
  expect(readLockSeconds(makeContext({}), { ...pending, channel: 'sms' })).toBe(900);
  expect(readLockSeconds(makeContext({}), { ...pending, channel: 'link' })).toBe(900);
});

test('the feedback on a code says if it was replaced, and how long codes are locked', () => {
  const resent = { pending: { ...pending, isResent: true } } as const;
  expect(buildFeedback(makeContext({}), 'code_wrong')).toEqual({ error: { key: 'code_wrong' } });
  expect(buildFeedback(makeContext(resent), 'code_wrong')).toEqual({ error: { key: 'code_replaced' } });
  expect(buildFeedback(makeContext(resent), 'code_expired')).toEqual({ error: { key: 'code_expired' } });
  for (const key of ['locked', 'code_last'] as const)
    expect(buildFeedback(makeContext({}), key)).toEqual({ error: { key, retryAfterSeconds: 120 } });
  expect(buildFeedback(makeContext({}), undefined)).toEqual({});
  expect(buildFeedback(makeContext({ pending: undefined as never }), 'locked')).toEqual({});
});
