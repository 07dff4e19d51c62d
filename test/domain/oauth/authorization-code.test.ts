import { expect, test } from '@jest/globals';
import { RESOURCE_ACCESS_TTL_MAX_SECONDS } from '../../../shared/domain/basis/limits.ts';
import { hashSecret } from '../../../shared/domain/basis/random.ts';
import { nowSeconds } from '../../../shared/domain/basis/time.ts';
import {
  consumeAuthorizationCode,
  deriveAccessTokenId,
  type PresentedCode,
  validateAuthorizationCode,
} from '../../../shared/domain/oauth/authorization-code.ts';
import type { AuthorizationCode } from '../../../shared/ports/authorization.ts';
import { someAuthorizationCode } from '../../support/fixtures/flow-records.ts';
import { T } from '../../support/server/records.ts';

const verifier = 'v'.repeat(43);
const pkce = { codeChallenge: hashSecret(verifier) };
const oidc = { origin: 'oidc' } as const;
type Needed = PresentedCode['needsRedirectUri'];
const [always, plain, unproven]: readonly Needed[] = [
  'always',
  'without PKCE',
  'without PKCE or proof of the client',
];

// Each case: when the client must send redirect_uri, the properties of the code, and whether redirect_uri may be missing.
// Checking redirect_uri prevents a client from exchanging a stolen code that an attacker injects.
test.each<[Needed | undefined, Partial<AuthorizationCode>, boolean]>([
  [always, oidc, false],
  [always, { ...oidc, ...pkce }, false],
  [always, { ...oidc, ...pkce, provenClient: true }, false],
  [always, { origin: 'code-based' }, true],
  [plain, oidc, false],
  [plain, { ...oidc, provenClient: true }, false],
  [plain, { ...oidc, ...pkce }, true],
  [unproven, oidc, false],
  [unproven, { ...oidc, provenClient: true }, true],
  [unproven, { ...oidc, ...pkce }, true],
])(
  'if redirect_uri is required (%s), a code with the properties %j can be exchanged without it (expected: %s)',
  async (needsRedirectUri = 'always', change, isGood) => {
    const code = someAuthorizationCode({ clientId: 'client', ...change });
    const ports = { codes: { find: async () => code } } as never;
    const presented = {
      now: T,
      code: 'code',
      clientId: 'client',
      codeVerifier: change.codeChallenge === undefined ? undefined : verifier,
      redirectUri: undefined,
      needsRedirectUri,
      dpopJkt: undefined,
    };
    const checking = validateAuthorizationCode(ports, presented);
    if (isGood) expect(await checking).toEqual(code);
    else await expect(checking).rejects.toThrow('redirect_uri');
    expect(await validateAuthorizationCode(ports, { ...presented, redirectUri: code.redirectUri })).toEqual(
      code,
    );
    await expect(
      validateAuthorizationCode(ports, { ...presented, redirectUri: 'https://other.example/' }),
    ).rejects.toThrow();
  },
);

test('an authorization code bound to a DPoP key can be exchanged only with that key', async () => {
  const code = someAuthorizationCode({ clientId: 'client', dpopJkt: 'key' });
  const ports = { codes: { find: async () => code } } as never;
  const common = { now: T, code: 'code', clientId: 'client', codeVerifier: undefined } as const;
  const check = (dpopJkt: string | undefined) =>
    validateAuthorizationCode(ports, {
      ...common,
      redirectUri: code.redirectUri,
      needsRedirectUri: 'always',
      dpopJkt,
    });
  expect(await check('key')).toEqual(code);
  for (const other of ['other', undefined])
    await expect(check(other)).rejects.toThrow('bound to another key');
});

test('an authorization code is valid until the second before it expires', async () => {
  const code = someAuthorizationCode({ clientId: 'client', expiresAt: T + 60 });
  const checkAt = (now: number) =>
    validateAuthorizationCode({ codes: { find: async () => code } } as never, {
      ...{ now, code: 'code', clientId: 'client', codeVerifier: undefined, dpopJkt: undefined },
      ...{ redirectUri: code.redirectUri, needsRedirectUri: 'always' },
    });
  expect(await checkAt(T + 59)).toEqual(code);
  await expect(checkAt(T + 60)).rejects.toMatchObject({ key: 'invalid_grant' });
});

test.each([
  ['ends the session that the code started', { startsSession: true }, true, ['forbid']],
  [
    'revokes the refresh token family and the access token of a code that joined a session',
    { startsSession: false },
    true,
    ['endFamily', 'revoke'],
  ],
  ['ends no session if the code was restored after a failed exchange', { startsSession: true }, false, []],
])('presenting an authorization code a second time %s', async (_, change, isKept, ended) => {
  const calls: unknown[][] = [];
  const noting =
    (name: string) =>
    async (...given: unknown[]) =>
      void calls.push([name, ...given]);
  const code = someAuthorizationCode({ clientId: 'client', consumedAt: T - 1, ...change });
  const ports = {
    codes: { find: async () => code, consume: async () => false, finalizeConsumption: async () => isKept },
    sessions: { forbid: noting('forbid'), endFamily: noting('endFamily') },
    revokedTokens: { revoke: noting('revoke') },
  } as never;
  const presented = { now: T, code: 'code', clientId: 'client', redirectUri: code.redirectUri };
  const checking = validateAuthorizationCode(ports, {
    ...presented,
    codeVerifier: undefined,
    needsRedirectUri: 'always',
    dpopJkt: undefined,
  });
  const { userId, sessionId, familyId } = code;
  const audit = { userId, sessionId, events: ['token.reused'] };
  const error = { key: 'invalid_grant', detail: isKept ? { audit } : expect.not.objectContaining({ audit }) };
  const now = nowSeconds();
  await expect(checking).rejects.toMatchObject(error);
  await expect(consumeAuthorizationCode(ports, code, T, { holder: 'holder' })).rejects.toMatchObject(error);
  expect(calls.map(([name]) => name)).toEqual([...ended, ...ended]);
  for (const [name, ...given] of calls)
    if (name === 'revoke') {
      expect(given).toEqual([deriveAccessTokenId(familyId), expect.any(Number)]);
      expect(given[1]).toBeGreaterThanOrEqual(now + RESOURCE_ACCESS_TTL_MAX_SECONDS);
    } else expect(given).toEqual(name === 'forbid' ? [sessionId, T] : [sessionId, familyId, T]);
});
