// Operators are people: users of a separate tenant, with a grant for each tenant that they operate.
import type { Application, Client, Tenant } from '../../ports/directory.ts';
import type { OperatorRole } from '../../ports/operators.ts';
import { OPERATORS_TENANT_ID } from '../basis/operators.ts';
import { newSecret } from '../basis/random.ts';

export const CONSOLE_APPLICATION_ID = 'console000000000000000000';
/** Client of the operator console, which keeps tokens on its server. */
export const CONSOLE_CLIENT_ID = 'otl-console';
/** Client of the `otl` command line on an operator's computer. */
export const OTL_CLIENT_ID = 'otl-cli';

/** Maximum age, in seconds, of the login with which an operator may change who gets access. */
export const GUARDED_SECONDS = 10 * 60;

const SESSION_ABSOLUTE_SECONDS = 8 * 3600;
const SESSION_IDLE_SECONDS = 30 * 60;
const TOKEN_SECONDS = 15 * 60;

/** Redirect URI of the command line. The port of a loopback address may vary (RFC 8252 §7.3). */
const LOOPBACK_REDIRECT = 'http://127.0.0.1/callback';

/**
 * Returns true if the code of an authorization request goes to a program on an operator's computer. Such a request requires a
 * recent login and a click on a page that says so, because any page or program can start it (RFC 8252 §8.6). Only the console
 * gets codes without this click, at its own callback.
 */
export const needsCommandLineConfirmation = (
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

/** Returns true if a role permits everything that the needed role permits. */
export const includesRole = (role: OperatorRole, needed: OperatorRole): boolean =>
  INCLUDES[role].includes(needed);

interface OperatorDirectory {
  readonly tenant: Tenant;
  readonly application: Application;
  readonly clients: readonly Client[];
}

/**
 * Creates the records that operators need to log in.
 * @param consoleOrigin Origin of the operator console. Absent if there is no console.
 */
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
