import { ServiceError } from '../../errors/service-error.ts';
import type { AuthorizationCode } from '../../ports/authorization.ts';
import type { Application } from '../../ports/directory.ts';
import type { Device, MethodUse, Session } from '../../ports/flows.ts';
import type { User } from '../../ports/people.ts';
import type { Using } from '../../ports/uses.ts';
import { AUTHORIZATION_CODE_SECONDS } from '../basis/limits.ts';
import { omitUndefined } from '../basis/omit-undefined.ts';
import { usesOf } from '../credentials/mailed-link.ts';
import { authenticationContext } from '../credentials/mfa.ts';
import { openFactors } from '../credentials/open-factors.ts';
import { addMethods, type BrowserSession, newBrowserSession } from './browser-session.ts';

/**
 * Two factors by two codes in one browser: the first code leaves its proof in the browser's session, the second one joins that
 * session and may be exchanged.
 */
export type Factor =
  | { readonly outcome: 'complete'; readonly sessionId: string }
  | {
      readonly outcome: 'first';
      readonly sessionId: string;
      /** The methods that can still be the second one, by name. */
      readonly open: readonly string[];
      /** For a new cookie; absent when the browser has it already. */
      readonly started?: BrowserSession;
    };

export interface FactorFacts {
  /** A code with `requireMfa`. */
  readonly code: AuthorizationCode;
  readonly application: Application;
  /** Undefined during sign-up. */
  readonly user: User | undefined;
  /** The session of this browser. */
  readonly held: Session | undefined;
  /** Epoch seconds. */
  readonly at: number;
}

async function start(
  ports: Using<'sessions.start'>,
  code: AuthorizationCode,
  application: Application,
  methods: readonly MethodUse[],
  at: number,
): Promise<BrowserSession> {
  const { userId, tenantId, applicationId, clientId, userAgent, ipAddress } = code;
  const started = newBrowserSession(
    { userId, tenantId, applicationId, clientId, methods, awaitsSecondFactor: true },
    application,
    at,
    omitUndefined<Device>({ userAgent, ipAddress }),
  );
  if (!(await ports.sessions.start(started.session))) throw new Error('a fresh session ID is in use');
  return started;
}

/**
 * Counts a code as one factor of the login in this browser. Undefined when it is used already: of many callers one gets an
 * outcome. Only another kind of factor of the same user in this browser makes the code exchangeable.
 * Errors: `access_denied` when the user has no second factor; then nothing is written.
 */
export async function addFactor(
  ports: Using<'codes.spend' | 'codes.upgrade' | 'sessions.join' | 'sessions.start'>,
  { code, application, user, held, at }: FactorFacts,
): Promise<Factor | undefined> {
  const joined = held?.userId === code.userId ? held : undefined;
  const methods = usesOf(code, at);
  const proven = [...(joined?.methods ?? []), ...methods];

  if (joined && authenticationContext(proven).acr === 'mfa') {
    const { sessionId } = joined;
    const expiresAt = at + AUTHORIZATION_CODE_SECONDS;
    const upgrade = { methods, sessionId, startsSession: false, expiresAt, at };
    if (!(await ports.codes.upgrade(code.hash, upgrade))) return undefined;
    // If the session has ended in this moment, the exchange refuses the code.
    await addMethods(ports, joined, methods, at);
    return { outcome: 'complete', sessionId };
  }

  const open = openFactors(application, user, proven);
  if (open.length === 0)
    throw new ServiceError('access_denied', {
      message: 'A second factor is required, and the user has none',
    });
  if (!(await ports.codes.spend(code.hash, at))) return undefined;
  if (joined && (await addMethods(ports, joined, methods, at)))
    return { outcome: 'first', sessionId: joined.sessionId, open };
  const started = await start(ports, code, application, methods, at);
  return { outcome: 'first', sessionId: started.session.sessionId, open, started };
}
