import { describe, expect, test } from '@jest/globals';
import { SESSION_FAMILIES_MAX } from '../../../shared/domain/basis/limits.ts';
import { readClaimsRequest } from '../../../shared/domain/claims/claims-request.ts';
import { storedClaims } from '../../../shared/domain/claims/stored-claims.ts';
import { provenBy } from '../../../shared/domain/credentials/authentication-proof.ts';
import type { ProvenLogin } from '../../../shared/domain/sessions/login.ts';
import { logIn, requireJoinable } from '../../../shared/domain/sessions/session.ts';
import type { Session } from '../../../shared/ports/flows.ts';
import { storedPorts } from '../../support/fixtures/directory.ts';
import {
  someApplication,
  someClient,
  someFamily,
  someMembership,
  someProof,
  someSession,
  someTenant,
  someUse,
  someUser,
  T,
} from '../../support/server/records.ts';
import { describeStore } from '../../support/server/store.ts';

const DAY = 86_400;

const tenant = someTenant({ tenantId: 'tenant' });

function login(change: Partial<ProvenLogin> = {}): ProvenLogin {
  return {
    proof: provenBy({ method: 'eotp', at: T }),
    at: T,
    methods: [someUse()],
    factors: [someProof],
    caller: {
      tenant,
      application: someApplication({ tenantId: 'tenant', applicationId: 'app' }),
      client: someClient({ tenantId: 'tenant', applicationId: 'app', clientId: 'client' }),
    },
    issuer: 'https://login.example.com/oidc',
    user: someUser({ userId: 'user', tenantId: 'tenant' }),
    membership: undefined,
    joined: undefined,
    device: { deviceId: 'device', ipAddress: '203.0.113.7' },
    audience: {
      aud: 'https://api.example.com/',
      resource: 'https://api.example.com/',
      accessTokenSeconds: 600,
      refreshTokenSeconds: 5 * DAY,
      maxRefreshRotateSeconds: 10 * DAY,
    },
    scope: 'openid',
    claims: readClaimsRequest(undefined),
    offlineAccess: true,
    ...change,
  };
}

/** Returns the user and the application that may join a session. */
function createJoiner({ userId, tenantId, applicationId }: Session) {
  return { userId, application: someApplication({ tenantId, applicationId }) };
}

describe('new session', () => {
  const claims = readClaimsRequest({ id_token: { email: { value: 'ada@example.com' } } });
  const { session, familyId } = logIn(
    login({
      proof: provenBy({ method: 'eotp', at: T - 5 }),
      membership: someMembership({ organizationId: 'org' }),
      claims,
      nonce: 'nonce',
      dpopJkt: 'jkt',
    }),
  );
  const [family] = session.families;

  test('a new session stores method, device, user, tenant, application and client', () => {
    expect(session).toMatchObject({
      userId: 'user',
      tenantId: 'tenant',
      applicationId: 'app',
      clientId: 'client',
      methods: [someUse()],
      deviceId: 'device',
      ipAddress: '203.0.113.7',
    });
  });

  test('a new session has one refresh family with the lifetimes of the resource', () => {
    expect(session.families).toHaveLength(1);
    expect(family).toMatchObject({
      familyId,
      clientId: 'client',
      scope: 'openid',
      resource: 'https://api.example.com/',
      organizationId: 'org',
      claims: storedClaims(tenant, claims),
      nonce: 'nonce',
      dpopJkt: 'jkt',
      authTime: T - 5,
      issuedAt: T,
      expiresAt: T + 5 * DAY,
      endsAt: T + 10 * DAY,
    });
  });

  test('a refresh token never outlives its family', () => {
    const audience = { ...login().audience, refreshTokenSeconds: 20 * DAY };
    const [short] = logIn(login({ audience })).session.families;
    expect(short?.expiresAt).toBe(T + 10 * DAY);
    expect(short?.endsAt).toBe(T + 10 * DAY);
  });

  test('a session without offline access has neither a refresh family nor a refresh token', () => {
    const loggedIn = logIn(login({ offlineAccess: false }));
    expect(loggedIn.session.families).toEqual([]);
    expect(loggedIn.refreshToken).toBeUndefined();
  });

  test('a session takes given IDs, so that a second use of an authorization code finds it', () => {
    const ids = { sessionId: 'user.chosen', familyId: 'chosen-too' };
    const loggedIn = logIn(login({ ids }));
    expect(loggedIn.session.sessionId).toBe('user.chosen');
    expect(loggedIn.familyId).toBe('chosen-too');
    expect(loggedIn.refreshToken).toMatch(/^user\.chosen\.chosen-too\.[\w-]{43}$/);
  });
});

describe('joined session', () => {
  const joined = someSession({ methods: [someUse({ method: 'eotp', at: T - 60 })], endsAt: T + 60 * DAY });

  test('a joined session keeps its ID and gains a method and a refresh family', () => {
    const methods = [someUse({ method: 'sms', at: T })];
    const { session, familyId, refreshToken } = logIn(login({ methods, joined: joined }));
    expect(session.sessionId).toBe(joined.sessionId);
    expect(session.methods).toEqual([
      someUse({ method: 'eotp', at: T - 60 }),
      someUse({ method: 'sms', at: T }),
    ]);
    expect(session.families.map(({ familyId }) => familyId)).toContain(familyId);
    expect(refreshToken).toContain(`${joined.sessionId}.${familyId}.`);
  });

  test('a session joined without offline access keeps its refresh families, including ended ones', () => {
    const families = [someFamily({ expiresAt: T }), someFamily({ expiresAt: T + 1 })];
    const loggedIn = logIn(login({ offlineAccess: false, joined: { ...joined, families } }));
    expect(loggedIn.session.families).toEqual(families);
    expect(loggedIn.refreshToken).toBeUndefined();
  });

  const sms = someUse({ method: 'sms', at: T });
  test.each([
    ['of a browser keeps the methods for that browser if a backend adds one', [sms], 'secret', true],
    ['of a browser stays unchanged if no method is added', [], 'secret', false],
    ['without a browser has nothing to keep', [sms], undefined, false],
  ])('a joined session %s', async (_, methods, browserHash, leaves) => {
    const given = { ...joined, ...(browserHash !== undefined && { browserHash }) };
    const changes: unknown[] = [];
    const join = async (...[, change]: readonly unknown[]) => changes.push(change) > 0;
    const { save } = logIn(login({ methods, joined: given }));
    await save({ sessions: { join } } as never);
    const [change] = changes;
    if (leaves) expect(change).toMatchObject({ methods, leavesBrowser: joined.methods });
    else expect(change).not.toHaveProperty('leavesBrowser');
  });

  test('joining a session drops its refresh families that have ended', () => {
    const over = someFamily({ expiresAt: T });
    const alive = someFamily({ expiresAt: T + 1 });
    const { session, familyId } = logIn(login({ joined: { ...joined, families: [over, alive] } }));
    expect(session.families).toEqual([alive, expect.objectContaining({ familyId })]);
  });

  test(`joining a session with ${SESSION_FAMILIES_MAX} refresh families drops the one that ends first`, () => {
    const families = Array.from({ length: SESSION_FAMILIES_MAX }, (_, index) =>
      someFamily({ expiresAt: T + 100 + index }),
    );
    const { session } = logIn(login({ joined: { ...joined, families } }));
    const kept = session.families.map(({ familyId }) => familyId);
    expect(kept).toHaveLength(SESSION_FAMILIES_MAX);
    expect(kept).not.toContain(families[0]?.familyId);
  });
});

describeStore('a session in the store', (store) => {
  const ports = () => storedPorts(store());
  const gone = { key: 'session_not_found' };

  async function started() {
    const loggedIn = logIn(login());
    await loggedIn.save(ports());
    return loggedIn.session;
  }

  test.each([
    ['user', { userId: 'other' }],
    ['tenant', { tenantId: 'other' }],
    ['application', { applicationId: 'other' }],
  ])('a session of another %s cannot be joined, as if it did not exist', async (_name, change) => {
    const session = await started();
    const joiner = createJoiner({ ...session, ...change });
    await expect(requireJoinable(ports(), joiner, session.sessionId, T)).rejects.toMatchObject(gone);
  });

  test.each([
    ['empty', ''],
    ['unknown', 'user.unknown'],
    ['without a dot', 'user'],
    ['a dot alone', '.'],
    ['without an end', 'user.'],
    ['that names another kind of item', 'user#x.y'],
    ['longer than any key', '👩'.repeat(512)],
  ])('no session can be joined by an ID that is %s', async (_name, sessionId) => {
    await expect(requireJoinable(ports(), createJoiner(await started()), sessionId, T)).rejects.toMatchObject(
      gone,
    );
  });

  test('a session cannot be joined at its idle end or later', async () => {
    const session = await started();
    const joinAt = (at: number) => requireJoinable(ports(), createJoiner(session), session.sessionId, at);
    expect(await joinAt(session.expiresAt - 1)).toEqual(session);
    await expect(joinAt(session.expiresAt)).rejects.toMatchObject(gone);
  });

  test('a session that has ended cannot be started again under the same ID', async () => {
    const loggedIn = logIn(login());
    await loggedIn.save(ports());
    await ports().sessions.end(loggedIn.session.sessionId, T);
    await expect(loggedIn.save(ports())).rejects.toMatchObject(gone);
  });

  test('joining does not revive a session that ends between the check and the write', async () => {
    const session = await started();
    const loggedIn = logIn(login({ joined: session }));
    await ports().sessions.end(session.sessionId, T);
    await expect(loggedIn.save(ports())).rejects.toMatchObject(gone);
    await expect(requireJoinable(ports(), createJoiner(session), session.sessionId, T)).rejects.toMatchObject(
      gone,
    );
  });
});
