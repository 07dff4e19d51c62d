import { describe, expect, test } from '@jest/globals';
import { SESSION_FAMILIES_MAX } from '../../../shared/domain/basis/limits.ts';
import { readClaimsRequest } from '../../../shared/domain/claims/claims-request.ts';
import { storedClaims } from '../../../shared/domain/claims/stored-claims.ts';
import { provenBy } from '../../../shared/domain/credentials/authentication-proof.ts';
import type { ProvenLogin } from '../../../shared/domain/sessions/login.ts';
import { filterValidSession, logIn, requireJoinable } from '../../../shared/domain/sessions/session.ts';
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

/** Returns a user and an application whose login may join the given session. */
function createJoiner({ userId, tenantId, applicationId }: Session) {
  return { userId, application: someApplication({ tenantId, applicationId }) };
}

describe('starting a session', () => {
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

  test('a new session stores the login methods, the device, the user and the client', () => {
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

  test('a new session has one refresh token family with the lifetimes of the resource', () => {
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

  test('a refresh token expires together with its refresh token family or earlier', () => {
    const audience = { ...login().audience, refreshTokenSeconds: 20 * DAY };
    const [short] = logIn(login({ audience })).session.families;
    expect(short?.expiresAt).toBe(T + 10 * DAY);
    expect(short?.endsAt).toBe(T + 10 * DAY);
  });

  test('a session of a login without offline access has no refresh token', () => {
    const loggedIn = logIn(login({ offlineAccess: false }));
    expect(loggedIn.session.families).toEqual([]);
    expect(loggedIn.refreshToken).toBeUndefined();
  });

  test('a login can start a session with a predefined session ID', () => {
    const ids = { sessionId: 'user.chosen', familyId: 'chosen-too' };
    const loggedIn = logIn(login({ ids }));
    expect(loggedIn.session.sessionId).toBe('user.chosen');
    expect(loggedIn.familyId).toBe('chosen-too');
    expect(loggedIn.refreshToken).toMatch(/^user\.chosen\.chosen-too\.[\w-]{43}$/);
  });
});

describe('logins that join an existing session', () => {
  const joined = someSession({ methods: [someUse({ method: 'eotp', at: T - 60 })], endsAt: T + 60 * DAY });

  test('joining a session adds a login method and a refresh token family to the session', () => {
    const methods = [someUse({ method: 'sms', at: T })];
    const { session, familyId, refreshToken } = logIn(login({ methods, joined }));
    expect(session.sessionId).toBe(joined.sessionId);
    expect(session.methods).toEqual([
      someUse({ method: 'eotp', at: T - 60 }),
      someUse({ method: 'sms', at: T }),
    ]);
    expect(session.families.map(({ familyId }) => familyId)).toContain(familyId);
    expect(refreshToken).toContain(`${joined.sessionId}.${familyId}.`);
  });

  test('joining a session without offline access keeps all refresh token families of the session', () => {
    const families = [someFamily({ expiresAt: T }), someFamily({ expiresAt: T + 1 })];
    const loggedIn = logIn(login({ offlineAccess: false, joined: { ...joined, families } }));
    expect(loggedIn.session.families).toEqual(families);
    expect(loggedIn.refreshToken).toBeUndefined();
  });

  const sms = someUse({ method: 'sms', at: T });
  test.each([
    [
      'if a backend adds a login method, the session remembers which methods the browser itself has used',
      [sms],
      'secret',
      true,
    ],
    [
      'if a backend adds no login method, the session stores no separate list for the browser',
      [],
      'secret',
      false,
    ],
    ['a session that no browser uses stores no separate list for a browser', [sms], undefined, false],
  ])(
    'a login method added by a backend does not count in the browser of the session: %s',
    async (_, methods, browserHash, leaves) => {
      const given = { ...joined, ...(browserHash !== undefined && { browserHash }) };
      const changes: unknown[] = [];
      const join = async (...[, change]: readonly unknown[]) => changes.push(change) > 0;
      const { save } = logIn(login({ methods, joined: given }));
      await save({ sessions: { join } } as never);
      const [change] = changes;
      expect(change).toEqual({
        ...{ at: T, expiresAt: T + 14 * DAY, methods, dropFamilies: [], clientId: 'client' },
        family: expect.objectContaining({ issuedAt: T }),
        ...(leaves && { initialBrowserMethods: joined.methods }),
      });
    },
  );

  test('a session stores the client of a login only if another client has started the session', async () => {
    const changes: unknown[] = [];
    const join = async (...[, change]: readonly unknown[]) => changes.push(change) > 0;
    await logIn(login({ joined: { ...joined, clientId: 'client' } })).save({ sessions: { join } } as never);
    expect(changes).toEqual([expect.not.objectContaining({ clientId: expect.anything() })]);
  });

  test('a session without a proof that is valid in the application cannot be joined', () => {
    const application = someApplication();
    const filter = (scope: string) =>
      filterValidSession(someSession({ methods: [someUse({ scope })] }), application);
    expect(filter('other')).toBeUndefined();
    expect(filter(application.applicationId)?.methods).toHaveLength(1);
  });

  test("joining a session removes the session's expired refresh token families", () => {
    const over = someFamily({ expiresAt: T });
    const alive = someFamily({ expiresAt: T + 1 });
    const { session, familyId } = logIn(login({ joined: { ...joined, families: [over, alive] } }));
    expect(session.families).toEqual([alive, expect.objectContaining({ familyId })]);
  });

  test(`joining a session with ${SESSION_FAMILIES_MAX} refresh token families removes the family that expires first`, () => {
    const families = Array.from({ length: SESSION_FAMILIES_MAX }, (_, index) =>
      someFamily({ expiresAt: T + 100 + index }),
    );
    const { session } = logIn(login({ joined: { ...joined, families } }));
    const kept = session.families.map(({ familyId }) => familyId);
    expect(kept).toHaveLength(SESSION_FAMILIES_MAX);
    expect(kept).not.toContain(families[0]?.familyId);
  });
});

describeStore('stored sessions', (store) => {
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
  ])('joining a session of another %s fails with session_not_found', async (_name, change) => {
    const session = await started();
    const joiner = createJoiner({ ...session, ...change });
    await expect(requireJoinable(ports(), joiner, session.sessionId, T)).rejects.toMatchObject(gone);
  });

  test.each([
    ['empty', ''],
    ['unknown', 'user.unknown'],
    ['without a dot', 'user'],
    ['only a dot', '.'],
    ['without a second part', 'user.'],
    ['a key of another item type', 'user#x.y'],
    ['longer than any key', '👩'.repeat(512)],
  ])('joining a session fails if the session ID is %s', async (_name, sessionId) => {
    await expect(requireJoinable(ports(), createJoiner(await started()), sessionId, T)).rejects.toMatchObject(
      gone,
    );
  });

  test("a login cannot join a session after the session's idle timeout", async () => {
    const session = await started();
    const joinAt = (at: number) => requireJoinable(ports(), createJoiner(session), session.sessionId, at);
    expect(await joinAt(session.expiresAt - 1)).toEqual(session);
    await expect(joinAt(session.expiresAt)).rejects.toMatchObject(gone);
  });

  test('a session that has ended cannot be started again with the same ID', async () => {
    const loggedIn = logIn(login());
    await loggedIn.save(ports());
    await ports().sessions.end(loggedIn.session.sessionId, T);
    await expect(loggedIn.save(ports())).rejects.toMatchObject(gone);
  });

  test('a login cannot join a session that ends during the login', async () => {
    const session = await started();
    const loggedIn = logIn(login({ joined: session }));
    await ports().sessions.end(session.sessionId, T);
    await expect(loggedIn.save(ports())).rejects.toMatchObject(gone);
    await expect(requireJoinable(ports(), createJoiner(session), session.sessionId, T)).rejects.toMatchObject(
      gone,
    );
  });
});
