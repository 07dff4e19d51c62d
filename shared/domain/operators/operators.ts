import type { Application, Client, Tenant } from '../../ports/directory.ts';
import type { OperatorRole } from '../../ports/operators.ts';
import { OPERATORS_TENANT_ID } from '../basis/operators.ts';
import { newSecret } from '../basis/random.ts';

/** Operators are people: users of a tenant of their own, with a grant for each tenant that they operate. */

export const CONSOLE_APPLICATION_ID = 'console000000000000000000';
/** The console's own client, which keeps tokens on its server. */
export const CONSOLE_CLIENT_ID = 'otl-console';
/** The command line on the machine of an operator. */
export const OTL_CLIENT_ID = 'otl-cli';

/** How old a login may be for what decides who gets in. */
export const GUARDED_SECONDS = 10 * 60;

const SESSION_ABSOLUTE_SECONDS = 8 * 3600;
const SESSION_IDLE_SECONDS = 30 * 60;
const TOKEN_SECONDS = 15 * 60;

/** RFC 8252 §7.3: the port of a loopback address may vary. */
const LOOPBACK_REDIRECT = 'http://127.0.0.1/callback';

/**
 * Returns true if the code of an authorization request goes to a program on an operator's computer. Such a request takes a fresh
 * login and a click on a page that says so, because any page or program can start it (RFC 8252 §8.6). Only the console gets codes
 * without it, at its own callback.
 */
export const leadsToComputer = (
  {
    application,
    client,
    settings,
  }: {
    readonly application: Pick<Application, 'applicationId'>;
    readonly client: Pick<Client, 'clientId'>;
    readonly settings: { readonly consoleOrigin: string };
  },
  { redirectUri }: { readonly redirectUri: string },
): boolean =>
  application.applicationId === CONSOLE_APPLICATION_ID &&
  !(client.clientId === CONSOLE_CLIENT_ID && redirectUri === `${settings.consoleOrigin}/callback`);

const INCLUDES: Readonly<Record<OperatorRole, readonly OperatorRole[]>> = {
  viewer: ['viewer'],
  support: ['viewer', 'support'],
  developer: ['viewer', 'developer'],
  admin: ['viewer', 'support', 'developer', 'admin'],
};

/** Whether a role may do what takes another one. */
export const suffices = (role: OperatorRole, needed: OperatorRole): boolean =>
  INCLUDES[role].includes(needed);

interface OperatorDirectory {
  readonly tenant: Tenant;
  readonly application: Application;
  readonly clients: readonly Client[];
}

/** The records that logins of operators need. `consoleOrigin`: where the console is; absent: there is none. */
export function operatorDirectory(at: number, consoleOrigin?: string): OperatorDirectory {
  const dates = { createdAt: at, updatedAt: at };
  const own = { tenantId: OPERATORS_TENANT_ID, ...dates };
  const client = {
    ...own,
    applicationId: CONSOLE_APPLICATION_ID,
    kind: 'application',
    authMethod: 'none',
    requirePkce: true,
    secrets: [],
    accessTokenSeconds: TOKEN_SECONDS,
    refreshTokenSeconds: SESSION_ABSOLUTE_SECONDS,
  } as const;
  return {
    tenant: { ...own, name: 'Operators', salt: newSecret() },
    application: {
      ...own,
      applicationId: CONSOLE_APPLICATION_ID,
      name: 'Operator console',
      redirectUris: [
        ...(consoleOrigin === undefined ? [] : [`${consoleOrigin}/callback`]),
        LOOPBACK_REDIRECT,
      ],
      postLogoutRedirectUris: consoleOrigin === undefined ? [] : [`${consoleOrigin}/`],
      publicSignup: false,
      hostedSignUp: false,
      offerPasskeys: true,
      loginPreferences: { email: {}, passkey: {} },
      resourceIds: [],
      idTokenClaims: 'requested',
      sessionAbsoluteSeconds: SESSION_ABSOLUTE_SECONDS,
      sessionIdleSeconds: SESSION_IDLE_SECONDS,
      bindingMaxAgeSeconds: GUARDED_SECONDS,
    },
    clients: [
      { ...client, clientId: CONSOLE_CLIENT_ID, name: 'Operator console' },
      { ...client, clientId: OTL_CLIENT_ID, name: 'otl', dpopBound: true },
    ],
  };
}
