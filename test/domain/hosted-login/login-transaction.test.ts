import { expect, test } from '@jest/globals';
import { hashSecret } from '../../../shared/domain/basis/random.ts';
import { accountRequest } from '../../../shared/domain/hosted-login/account-login.ts';
import {
  isPendingLink,
  listEarlierLinks,
  type OpenLogin,
  type PendingCredential,
  saveProgress,
} from '../../../shared/domain/hosted-login/login-transaction.ts';
import { T } from '../../support/server/records.ts';

const [code, later] = ['code', 'later'];
const pending: PendingCredential = {
  ...{ kind: 'known', userId: 'ann', channel: 'link', sealedAddress: '', codeKey: 'key', sentAt: T },
  ...{ linkHash: hashSecret(later), expiresAt: T + 900 },
  earlierLinks: [{ linkHash: hashSecret(code), expiresAt: T + 600 }],
};

test('each link of a login is valid until it expires', () => {
  expect([code, later].map((link) => isPendingLink(pending, link, T + 599))).toEqual([true, true]);
  expect([code, later].map((link) => isPendingLink(pending, link, T + 600))).toEqual([false, true]);
  expect(isPendingLink(pending, later, T + 900)).toBe(false);
});

test('a link is not valid if it was only shown as sent, if it is unknown or if none was sent', () => {
  expect(isPendingLink({ ...pending, kind: 'unknown' }, later, T)).toBe(false);
  expect(isPendingLink(pending, 'other', T)).toBe(false);
  expect(isPendingLink(undefined, later, T)).toBe(false);
});

test('only links to the same address stay valid after a message that could not be sent', () => {
  const { linkHash: _, ...withoutLink } = pending;
  expect(listEarlierLinks(pending, 'key')).toEqual([
    { linkHash: hashSecret(code), expiresAt: T + 600 },
    { linkHash: hashSecret(later), expiresAt: T + 900 },
  ]);
  expect(listEarlierLinks(pending, 'other')).toBeUndefined();
  expect(listEarlierLinks(withoutLink, 'key')).toBeUndefined();
});

test('a login can store its progress several times in one request', async () => {
  const versions: number[] = [];
  const ports = {
    loginTransactions: {
      advance: async ({ version }: { readonly version: number }) => versions.push(version) > 0,
    },
  };
  const login = { loginId: 'login', transaction: { version: 3 } } as OpenLogin;
  const progress = { proven: [], generation: 1 };
  const saved = await saveProgress(ports, { login, now: T }, progress);
  expect(saved).toEqual({
    ...{ loginId: 'login', progress },
    transaction: { version: 4, progress: expect.any(String) },
  });
  await saveProgress(ports, { login: saved as OpenLogin, now: T }, progress);
  expect(versions).toEqual([3, 4]);
});

test('a login to the account page asks for no scope, no factor and no new user', () => {
  const account = { login: 'session' } as const;
  expect(accountRequest('client', 'https://login.example.com/account', { account })).toEqual({
    ...{ origin: 'browser', clientId: 'client', redirectUri: 'https://login.example.com/account' },
    ...{ responseMode: 'query', scope: '', offlineAccess: false, prompts: [], resources: [] },
    ...{ requireMfa: false, requirePhone: false, createNewUser: false, account },
  });
});
