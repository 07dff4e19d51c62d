import { expect } from '@jest/globals';
import { readBrowser } from '../../../shared/domain/basis/browser.ts';
import { requestWithoutCode } from '../../../shared/domain/hosted-login/request-without-code.ts';
import { identityName } from '../../../shared/domain/trust/names.ts';
import type { LoginContext } from '../../../shared/flows/hosted-login/login-context.ts';
import { deriveCurrentState, type LoginState } from '../../../shared/flows/hosted-login/login-state.ts';
import type { Application } from '../../../shared/ports/directory.ts';
import type { MethodUse, Session } from '../../../shared/ports/flows.ts';
import type { Passkey, User } from '../../../shared/ports/people.ts';
import { masks } from '../../../shared/templates/mask.ts';
import { somePasskey } from '../../support/fixtures/signing-records.ts';
import {
  provenTrust,
  someAddress,
  someApplication,
  someSession,
  someTenant,
  someUse,
  someUser,
  T,
} from '../../support/server/records.ts';

// Derives states of hosted logins from records in memory.

export const browser = readBrowser({});
export const tenant = someTenant();
const HOST = 'login.example.com';
export const [MAIL, NUMBER] = ['ann@example.com', '+12015550123'];
export const [email, phoneNumber] = [someAddress(MAIL), someAddress(NUMBER)];
export const account = { provider: 'google', subject: '1', ...provenTrust };
export const passkey = somePasskey({ ...provenTrust, rpId: HOST });
export const lost = {
  cause: 'lost',
  kinds: ['phone'],
  since: T - 200,
  effectiveAt: T - 100,
  endsAt: T + 100,
} as const;

export const mail = someUse();
export const text = someUse({ method: 'sms', credential: 'phoneNumber' });
export const key = someUse({ method: 'webauthn', credential: passkey.credentialId });
export const social = someUse({ method: 'social', credential: identityName(account), authTime: T });

export const google = { clientId: 'id' } as never;
export const messages = { email: {}, sms: {} };

export interface Given {
  readonly user?: Partial<User> | 'none';
  readonly passkeys?: readonly Passkey[] | 'unreadable';
  /** Proofs of the login. */
  readonly proven?: readonly MethodUse[];
  readonly application?: Partial<Application>;
  readonly request?: Partial<LoginContext['login']['request']>;
  readonly progress?: Partial<LoginContext['login']['progress']>;
  /** Session to which the login adds a factor. */
  readonly session?: Partial<Session>;
}

/** Returns ports and the context of a login at an application with codes and passkeys, of a user with an email address. */
export function setUpLogin(given: Given) {
  const found = someUser({ email, ...(given.user === 'none' ? {} : given.user) });
  const { userId } = found;
  const session = given.session && someSession({ userId, browserHash: 'hash', ...given.session });
  const ports = {
    sessions: { find: async () => session },
    users: { find: async () => (given.user === 'none' ? undefined : found) },
    passkeys: {
      listOf: async () => {
        if (given.passkeys === 'unreadable') throw new Error('the passkeys cannot be read');
        return given.passkeys ?? [];
      },
    },
    consents: { find: async () => undefined },
    membershipRecords: { listOfUser: async () => [] },
  };
  const held = session && { sessionId: session.sessionId, browserHash: 'hash' };
  const context = {
    ...{ tenant, language: 'en', brand: { name: 'Demo' } },
    application: someApplication({
      applicationId: 'app',
      loginPreferences: { ...messages, passkey: {} },
      ...given.application,
    }),
    settings: { browserOrigin: `https://${HOST}`, consoleOrigin: 'https://console', smsCountries: 'any' },
    cookieSession: held,
    now: T,
    passkeyAnswers: 'can',
    client: { clientId: 'client' },
    browser,
    login: {
      loginId: 'login',
      transaction: { startedAt: T },
      request: { ...requestWithoutCode('client', 'https://example.com/'), origin: 'oidc', ...given.request },
      progress: { proven: given.proven ?? [mail], userId, generation: 1, held, ...given.progress },
    },
  } as unknown as LoginContext;
  return [ports as never, context] as const;
}

export const [byMail, byText] = [
  { method: 'email', address: MAIL, maskedTo: masks.email(MAIL) },
  { method: 'sms', address: NUMBER, maskedTo: masks.phone_number(NUMBER) },
] as const;
export const asks = (change: Partial<Extract<LoginState, { kind: 'second-factor' }>>): LoginState => ({
  ...{ kind: 'second-factor', open: [], passkey: false, providers: [], isOptional: false },
  ...change,
});
export const denied = (reason: string): LoginState => ({ kind: 'denied', reason });
export const done: LoginState = { kind: 'done' };
export const newPasskey: LoginState = { kind: 'passkey', isOffer: false };
export const NONE = denied('A second factor is required, and the user has none');
export const TOO_FEW: LoginState = {
  ...{ kind: 'denied', isTooFew: true },
  reason: 'The application offers too few of the login methods that the user has',
};

export type Row = readonly [title: string, given: Given, state: LoginState];

export const expectState = async (_title: string, given: Given, state: LoginState) =>
  expect((await deriveCurrentState(...setUpLogin(given))).state).toEqual(state);

export const both = { user: { phoneNumber } };
export const atGoogle = {
  user: { identities: [account] },
  application: { loginPreferences: { ...messages, google } },
  proven: [social],
};
export const withMessages = { application: { loginPreferences: messages } };
export const withMail = { application: { loginPreferences: { email: {} } } };
export const superseded = { generation: 0 };
export const vouchedKey = { ...key, worth: 'vouched', scope: 'app' } as const;
export const vouchedPasskey = { ...passkey, standing: 'vouched', scope: 'app' } as const;
