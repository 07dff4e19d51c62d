import { expect, test } from '@jest/globals';
import { RECORDED_APPLICATIONS_MAX } from '../../../shared/domain/basis/limits.ts';
import { provenBy } from '../../../shared/domain/credentials/authentication-proof.ts';
import { completeLogin } from '../../../shared/flows/login/complete-login.ts';
import type { MethodUse } from '../../../shared/ports/flows.ts';
import type { User } from '../../../shared/ports/people.ts';
import {
  someApplication,
  someClient,
  someSession,
  someSigningKey,
  someTenant,
  someUse,
  someUser,
  T,
} from '../../support/server/records.ts';

const application = someApplication({ applicationId: 'app' });
const caller = { client: someClient(), tenant: someTenant(), application };
const audience = {
  aud: 'api',
  accessTokenSeconds: 60,
  refreshTokenSeconds: 60,
  maxRefreshRotateSeconds: 60,
};
const claims = { idToken: new Map(), accessToken: new Map(), userInfo: new Map() };

interface Given {
  readonly user?: Partial<User>;
  readonly joins?: boolean;
  readonly worth?: MethodUse['worth'];
  /** Answer of the store to the login of the user: false if the user was erased in the meantime. */
  readonly record?: () => Promise<boolean>;
}

/** Completes a login. Returns its outcome, the IDs of what it has ended, and what it has recorded of the user. */
async function attempt({ user: change, joins = false, worth = 'proven', record = async () => true }: Given) {
  const user = someUser(change);
  const sessionId = `${user.userId}.session`;
  const ended: unknown[] = [];
  const recorded: unknown[] = [];
  const store = async () => true;
  const end = async (...ids: unknown[]) =>
    void ended.push(ids.map((id) => (id === sessionId ? 'session' : id)));
  const ports = {
    sessions: { start: store, join: store, end, endFamily: end },
    users: {
      recordLogin(given: object) {
        recorded.push(given);
        return record();
      },
    },
    guesses: { clear: store },
    signingKeys: { list: async () => [someSigningKey({ state: 'current' })] },
    signer: { sign: async () => Buffer.from('signature') },
  } as never;
  const factors = [someUse({ worth })];
  const login = {
    ...{ user, caller, audience, claims, factors, methods: factors, at: T, device: {}, offlineAccess: true },
    ...{ proof: provenBy({ method: 'eotp', at: T }), ids: { sessionId, familyId: 'family' } },
    ...{ joined: joins ? someSession({ sessionId, userId: user.userId }) : undefined, membership: undefined },
    ...{ issuer: 'https://login.example.com', scope: 'openid' },
  };
  const outcome = await completeLogin(ports, login).then(
    () => 'tokens',
    ({ key, message }) => key ?? message,
  );
  return { outcome, ended, recorded };
}

const fail = () => Promise.reject(new Error('no answer'));
const erased = async () => false;

test.each<[string, Given, { readonly outcome: string; readonly ended: readonly unknown[] }]>([
  ['a login that succeeds', {}, { outcome: 'tokens', ended: [] }],
  ['a failed login', { record: fail }, { outcome: 'no answer', ended: [['session', T]] }],
  [
    'a failed login in an existing session',
    { record: fail, joins: true },
    { outcome: 'no answer', ended: [['session', 'family', T]] },
  ],
  ['a login of an erased user', { record: erased }, { outcome: 'user_not_active', ended: [['session', T]] }],
  ['a login of a test user', { user: { isTest: true } }, { outcome: 'user_not_active', ended: [] }],
])('a login without tokens leaves no session or refresh token: %s', async (_title, given, expected) => {
  expect(await attempt(given)).toMatchObject(expected);
});

const others = (count: number) => Array.from({ length: count }, (_, index) => `other-${index}`);

test.each<[string, Given, string | undefined]>([
  ['recorded for a new application', {}, 'app'],
  ['not recorded again', { user: { applications: ['app'] } }, undefined],
  ['not recorded beyond the limit', { user: { applications: others(RECORDED_APPLICATIONS_MAX) } }, undefined],
  ['recorded up to the limit', { user: { applications: others(RECORDED_APPLICATIONS_MAX - 1) } }, 'app'],
  ['not recorded if only a client vouches for the user', { worth: 'vouched' }, undefined],
])('the application of a login is %s', async (_title, given, expected) => {
  expect((await attempt(given)).recorded).toMatchObject([{ at: T, application: expected }]);
});
