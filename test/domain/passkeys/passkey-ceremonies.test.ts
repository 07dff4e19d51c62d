import { describe, expect, test } from '@jest/globals';
import { PASSKEYS_MAX } from '../../../shared/domain/basis/limits.ts';
import {
  beginPasskeyLogin,
  checkPasskey,
  requireOwnChallenge,
} from '../../../shared/domain/passkeys/passkey-login.ts';
import {
  findRegistration,
  startRegistration,
  verifyNewPasskey,
} from '../../../shared/domain/passkeys/passkey-registration.ts';
import { readAuthentication, readRegistration } from '../../../shared/domain/passkeys/webauthn-result.ts';
import type { Passkey } from '../../../shared/ports/people.ts';
import type { WebauthnChallenge } from '../../../shared/ports/signing.ts';
import { someChallenge, somePasskey } from '../../support/fixtures/signing-records.ts';
import { provenTrust, someApplication, someTenant, someUser, T } from '../../support/server/records.ts';
import { createPasskey, FLAGS, usePasskey } from '../../support/tools/software-authenticator.ts';

const tenant = someTenant({ salt: 'c2FsdA' });
const application = someApplication({ applicationId: 'app', tenantId: tenant.tenantId, name: 'Shop' });
const origin = 'https://example.com';
const relyingParty = { rpId: 'example.com', origins: [origin] };
const place = { tenant, application, relyingParty };
const user = someUser({ username: 'ann', tenantId: tenant.tenantId });
const invalid = { key: 'passkey_invalid' };

/** Starts a registration of `user`, and returns its options and its stored challenge. */
async function start(known: readonly Passkey[] = []) {
  let stored = someChallenge();
  const putRegistration = async (challenge: WebauthnChallenge) => {
    stored = challenge;
  };
  const ports = { passkeyRecords: { listOf: async () => known }, webauthnChallenges: { putRegistration } };
  const answer = await startRegistration(ports, { ...place, now: T }, user, {});
  return { answer, stored };
}

describe('registration of a passkey', () => {
  test('the options of a registration exclude the passkeys of the user that work in the application', async () => {
    const own = somePasskey({ credentialId: 'b3du', scope: 'app' });
    const elsewhere = [somePasskey({ scope: 'side' }), somePasskey({ rpId: 'other.example' })];
    const { answer, stored } = await start([own, ...elsewhere]);
    expect(answer.credential_creation_options).toEqual({
      rp: { id: 'example.com', name: 'Shop' },
      user: { id: expect.any(String), name: 'ann', displayName: 'ann' },
      challenge: expect.any(String),
      pubKeyCredParams: [-7, -8, -257].map((alg) => ({ type: 'public-key', alg })),
      timeout: 300_000,
      excludeCredentials: [{ type: 'public-key', id: 'b3du', transports: ['internal'] }],
      authenticatorSelection: {
        ...{ residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
      },
      attestation: 'none',
    });
    expect(stored).toMatchObject({ purpose: 'register', userId: user.userId, expiresAt: T + 300 });
  });

  test('a registration cannot be started by a user with the maximum number of passkeys', async () => {
    const known = Array.from({ length: PASSKEYS_MAX }, () => somePasskey());
    await expect(start(known)).rejects.toMatchObject({ key: 'too_many_credentials' });
    await start(known.slice(1));
  });

  test('the challenge of a registration is found only for its user, application and login', async () => {
    const { answer, stored } = await start();
    const owner = { tenantId: tenant.tenantId, applicationId: 'app', userId: user.userId };
    const find = (asked: Partial<typeof owner> & { readonly loginHash?: string }, change: object = {}) =>
      findRegistration(
        { webauthnChallenges: { find: async () => ({ ...stored, ...change }) } },
        { ...owner, ...asked },
        answer.webauthn_session_id,
        T,
      );
    const { userId: _, ...anonymous } = owner;
    expect(await find({})).toEqual({ ...stored, userName: 'ann' });
    expect(
      await findRegistration(
        { webauthnChallenges: { find: async () => stored } },
        anonymous,
        answer.webauthn_session_id,
        T,
      ),
    ).toEqual({ ...stored, userName: 'ann' });
    expect(await find({ userId: 'bob' }, { userId: undefined })).toMatchObject({ userName: 'ann' });
    for (const asked of [{ tenantId: 'x' }, { applicationId: 'x' }, { userId: 'x' }, { loginHash: 'x' }])
      await expect(find(asked)).rejects.toMatchObject(invalid);
    for (const change of [{ purpose: 'authenticate' }, { loginHash: 'x' }])
      await expect(find({}, change)).rejects.toMatchObject(invalid);
  });

  const register = async (
    change: Partial<WebauthnChallenge> = {},
    deviation: Parameters<typeof createPasskey>[2] = {},
    consume = async () => true,
    credentialId?: string,
  ) => {
    const { answer, stored } = await start();
    const { passkey, result } = createPasskey(answer, origin, deviation);
    const open = { challenge: { ...stored, ...change }, userId: user.userId, trust: provenTrust };
    const read = readRegistration(result);
    const presented = credentialId === undefined ? read : { ...read, credentialId };
    const ports = { webauthnChallenges: { consume } };
    return { passkey, stored: await verifyNewPasskey(ports, { relyingParty, now: T }, open, presented) };
  };

  test('a new passkey is rejected if its RP ID, ID or challenge is not that of the registration', async () => {
    await expect(register({ rpId: 'old.example.com' })).rejects.toMatchObject(invalid);
    await expect(register({}, {}, undefined, 'other')).rejects.toMatchObject(invalid);
    await expect(register({}, {}, async () => false)).rejects.toMatchObject(invalid);
  });

  test('only a conditional create may skip the presence and the verification of the user', async () => {
    const flags = FLAGS.BACKUP_ELIGIBLE;
    await expect(register({}, { flags })).rejects.toMatchObject(invalid);
    const { passkey, stored } = await register({ isSilent: true }, { flags });
    expect(stored).toEqual({
      credentialId: passkey.id.toString('base64url'),
      publicKey: passkey.coseKey.toString('base64url'),
      signCount: 0,
      backupEligible: true,
      backedUp: false,
      transports: ['internal', 'hybrid'],
      aaguid: '00000000-0000-0000-0000-000000000000',
      userId: user.userId,
      tenantId: tenant.tenantId,
      applicationId: 'app',
      rpId: 'example.com',
      createdAt: T,
      ...provenTrust,
    });
  });
});

describe('login with a passkey', () => {
  const begin = async (asked: Parameters<typeof beginPasskeyLogin>[2] = {}) => {
    let stored = someChallenge();
    const put = async (challenge: WebauthnChallenge) => {
      stored = challenge;
    };
    const answer = await beginPasskeyLogin({ webauthnChallenges: { put } }, place, asked, T);
    return { answer, stored };
  };
  const result = { credentialId: 'id', sessionId: 'session' } as ReturnType<typeof readAuthentication>;

  test('the challenge of a login is valid for five minutes', async () => {
    const { answer, stored } = await begin();
    expect(answer.credential_request_options).toEqual({
      challenge: expect.any(String),
      rpId: 'example.com',
      timeout: 300_000,
      allowCredentials: [],
      userVerification: 'required',
    });
    expect(stored.expiresAt).toBe(T + 300);
  });

  test('the challenge of a login is accepted only in its application, in its login and for its approval data', async () => {
    const approvalData = { amount: '5' };
    const { stored } = await begin({ approvalData });
    const present = (change: object, asked: Parameters<typeof requireOwnChallenge>[3] = {}) =>
      requireOwnChallenge(place, result, [{ ...stored, ...change }, user.userId], asked);
    for (const asked of [{}, { approvalData }]) expect(present({}, asked).challenge).toEqual(stored);
    expect(present({ loginHash: 'hash' }, { loginHash: 'hash' }).userId).toBe(user.userId);
    const denied = [
      () => present({ purpose: 'register' }),
      () => present({ tenantId: 'other' }),
      () => present({ applicationId: 'other' }),
      () => present({ loginHash: 'hash' }),
      () => present({}, { loginHash: 'hash' }),
      () => present({}, { approvalData: { amount: '6' } }),
      () => present({ rawChallenge: undefined }, { approvalData }),
      () => requireOwnChallenge(place, result, [stored, undefined], {}),
      () => requireOwnChallenge(place, result, [undefined, user.userId], {}),
    ];
    for (const call of denied) expect(call).toThrow(expect.objectContaining(invalid));
  });

  test('a login with a passkey is rejected if the RP ID, tenant or application is not that of the passkey', async () => {
    const created = createPasskey((await start()).answer, origin).passkey;
    const credentialId = created.id.toString('base64url');
    const stored = somePasskey({
      ...{ credentialId, tenantId: tenant.tenantId, userHandle: created.userHandle, scope: 'app' },
      publicKey: created.coseKey.toString('base64url'),
    });
    const { answer, stored: challenge } = await begin();
    const presented = {
      ...{ challenge, userId: user.userId, sessionId: answer.webauthn_session_id },
      result: readAuthentication(usePasskey(created, answer, origin)),
    };
    const check = (change: object, passkey: Partial<Passkey> = {}) =>
      checkPasskey({ passkeys: { find: async () => ({ ...stored, ...passkey }) } }, place, {
        ...{ ...presented, challenge: { ...challenge, ...change } },
      });
    expect(await check({})).toMatchObject({ signCount: 0, backupEligible: true, backedUp: true });
    await expect(check({ rpId: 'old.example.com' })).rejects.toMatchObject(invalid);
    for (const passkey of [
      { tenantId: 'other' },
      { scope: 'side' },
      { rpId: 'other.example' },
      { userHandle: 'other' },
      { backupEligible: false },
    ])
      await expect(check({}, passkey)).rejects.toMatchObject(invalid);
  });
});
