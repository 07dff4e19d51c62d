import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { provenBy } from '../../shared/domain/authentication-proof.ts';
import { SESSION_ABSOLUTE_SECONDS, SESSION_FAMILIES_MAX } from '../../shared/domain/limits.ts';
import { hashSecret } from '../../shared/domain/random.ts';
import { type LoginFacts, logIn, requireJoinable } from '../../shared/domain/session.ts';
import { storedPorts } from '../support/directory.ts';
import { someFamily, someSession, T } from '../support/records.ts';
import { describeStore } from '../support/store.ts';

const DAY = 86_400;

function facts(change: Partial<LoginFacts> = {}): LoginFacts {
  return {
    proof: provenBy({ method: 'eotp', at: T }),
    userId: 'user',
    tenantId: 'tenant',
    applicationId: 'app',
    clientId: 'client',
    device: { deviceId: 'device', ipAddress: '203.0.113.7' },
    audience: {
      uri: 'https://api.example.com/',
      resource: 'https://api.example.com/',
      accessTokenSeconds: 600,
      refreshTokenSeconds: 5 * DAY,
      maxRefreshRotateSeconds: 10 * DAY,
    },
    scope: 'openid',
    ...change,
  };
}

describe('a new session', () => {
  const { session, family, refreshToken } = logIn(facts({ organizationId: 'org', claims: '{}' }), undefined);

  test('has an ID that begins with the user, so that erasing the user finds it', () => {
    expect(session.sessionId).toMatch(/^user\.[0-9a-z]{25}$/);
  });

  test('lives 14 days idle and 90 days in all', () => {
    expect(session).toMatchObject({
      startedAt: T,
      expiresAt: T + 14 * DAY,
      endsAt: T + SESSION_ABSOLUTE_SECONDS,
    });
    expect(SESSION_ABSOLUTE_SECONDS).toBe(90 * DAY);
  });

  test('notes the method, the device and whose it is', () => {
    expect(session).toMatchObject({
      userId: 'user',
      tenantId: 'tenant',
      applicationId: 'app',
      clientId: 'client',
      methods: [{ method: 'eotp', at: T }],
      deviceId: 'device',
      ipAddress: '203.0.113.7',
    });
  });

  test('has one refresh family with the lifetimes of the resource', () => {
    expect(session.families).toEqual([family]);
    expect(family).toMatchObject({
      clientId: 'client',
      scope: 'openid',
      resource: 'https://api.example.com/',
      organizationId: 'org',
      claims: '{}',
      authTime: T,
      issuedAt: T,
      expiresAt: T + 5 * DAY,
      endsAt: T + 10 * DAY,
    });
  });

  test('only the hash of the refresh secret is stored', () => {
    const [user, random, familyId, secret = ''] = refreshToken.split('.');
    expect(`${user}.${random}`).toBe(session.sessionId);
    expect(familyId).toBe(family.familyId);
    expect(secret).toMatch(/^[\w-]{43}$/);
    expect(family.currentHash).toBe(hashSecret(secret));
    expect(JSON.stringify(session)).not.toContain(secret);
  });

  test('a refresh token never outlives its family', () => {
    const audience = { ...facts().audience, refreshTokenSeconds: 20 * DAY };
    const { family: short } = logIn(facts({ audience }), undefined);
    expect(short.expiresAt).toBe(short.endsAt);
  });

  test('N125 every login has a session ID and a secret of its own', () => {
    const [one, other] = [logIn(facts(), undefined), logIn(facts(), undefined)];
    expect(one.session.sessionId).not.toBe(other.session.sessionId);
    expect(one.refreshToken).not.toBe(other.refreshToken);
  });
});

describe('a session that is joined', () => {
  const joined = someSession({ methods: [{ method: 'eotp', at: T - 60 }], endsAt: T + 60 * DAY });

  test('keeps its ID and gains a method and a family', () => {
    const { session, family, refreshToken } = logIn(
      facts({ proof: provenBy({ method: 'sms', at: T }) }),
      joined,
    );
    expect(session.sessionId).toBe(joined.sessionId);
    expect(session.methods).toEqual([
      { method: 'eotp', at: T - 60 },
      { method: 'sms', at: T },
    ]);
    expect(session.families.map(({ familyId }) => familyId)).toContain(family.familyId);
    expect(refreshToken).toContain(`${joined.sessionId}.${family.familyId}.`);
  });

  test('its idle end moves, never past its absolute end', () => {
    expect(logIn(facts(), joined).session.expiresAt).toBe(T + 14 * DAY);
    const old = { ...joined, endsAt: T + 3 * DAY };
    expect(logIn(facts(), old).session.expiresAt).toBe(T + 3 * DAY);
  });

  test('families that are over are dropped', () => {
    const over = someFamily({ expiresAt: T });
    const alive = someFamily({ expiresAt: T + 1 });
    const { session, family } = logIn(facts(), { ...joined, families: [over, alive] });
    expect(session.families).toEqual([alive, family]);
  });

  test(`of ${SESSION_FAMILIES_MAX} living families the one that ends first gives way`, () => {
    const families = Array.from({ length: SESSION_FAMILIES_MAX }, (_, index) =>
      someFamily({ expiresAt: T + 100 + index }),
    );
    const { session } = logIn(facts(), { ...joined, families });
    const kept = session.families.map(({ familyId }) => familyId);
    expect(kept).toHaveLength(SESSION_FAMILIES_MAX);
    expect(kept).not.toContain(families[0]?.familyId);
  });
});

describeStore('a session in the store', (store) => {
  beforeEach(() => {
    jest.spyOn(Date, 'now').mockReturnValue(T * 1000);
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });

  const ports = () => storedPorts(store());
  const gone = { key: 'session_not_found' };

  async function started() {
    const login = logIn(facts(), undefined);
    await login.save(ports());
    return login.session;
  }

  test('is found by the user, tenant and application that it belongs to', async () => {
    const session = await started();
    expect(await requireJoinable(ports(), session, session.sessionId)).toEqual(session);
  });

  test('is not asked for when no ID is given', async () => {
    expect(await requireJoinable(ports(), await started(), undefined)).toBeUndefined();
  });

  test.each([
    ['user', { userId: 'other' }],
    ['tenant', { tenantId: 'other' }],
    ['application', { applicationId: 'other' }],
  ])('of another %s: the answer is that of an unknown one', async (_name, change) => {
    const session = await started();
    const whose = { ...session, ...change };
    await expect(requireJoinable(ports(), whose, session.sessionId)).rejects.toMatchObject(gone);
  });

  test.each([[''], ['user.unknown'], ['no-dot'], ['.'], ['user.'], ['👩'.repeat(512)], ['user#x.y']])(
    'the ID %j leads to none',
    async (sessionId) => {
      await expect(requireJoinable(ports(), await started(), sessionId)).rejects.toMatchObject(gone);
    },
  );

  test('cannot be joined when it has ended', async () => {
    const session = await started();
    await ports().sessions.end(session.sessionId, T);
    await expect(requireJoinable(ports(), session, session.sessionId)).rejects.toMatchObject(gone);
  });

  test('cannot be joined at its idle end, nor later', async () => {
    const session = await started();
    jest.mocked(Date.now).mockReturnValue(session.expiresAt * 1000 - 1);
    expect(await requireJoinable(ports(), session, session.sessionId)).toEqual(session);
    jest.mocked(Date.now).mockReturnValue(session.expiresAt * 1000);
    await expect(requireJoinable(ports(), session, session.sessionId)).rejects.toMatchObject(gone);
  });

  test('what is joined is stored', async () => {
    const session = await started();
    const login = logIn(facts({ proof: provenBy({ method: 'sms', at: T }) }), session);
    await login.save(ports());
    const found = await requireJoinable(ports(), session, session.sessionId);
    expect(found?.methods).toEqual(login.session.methods);
    expect(new Set(found?.families)).toEqual(new Set(login.session.families));
  });

  test('one that ends between the check and the write is not brought back', async () => {
    const session = await started();
    const login = logIn(facts(), session);
    await ports().sessions.end(session.sessionId, T);
    await expect(login.save(ports())).rejects.toMatchObject(gone);
    await expect(requireJoinable(ports(), session, session.sessionId)).rejects.toMatchObject(gone);
  });
});
