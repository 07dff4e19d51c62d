import { ServiceError } from '../../errors/service-error.ts';
import type { AuthorizationCode } from '../../ports/authorization.ts';
import type { Application } from '../../ports/directory.ts';
import type { Device, MethodUse, Session } from '../../ports/flows.ts';
import type { User } from '../../ports/people.ts';
import type { PortsWith } from '../../ports/uses.ts';
import { awaitAll } from '../basis/await-all.ts';
import type { LoginCookie } from '../basis/browser.ts';
import { AUTHORIZATION_CODE_SECONDS } from '../basis/limits.ts';
import { omitUndefined } from '../basis/omit-undefined.ts';
import { newSecret } from '../basis/random.ts';
import { authenticationContext, lastUses } from '../credentials/mfa.ts';
import { findOpenFactors } from '../credentials/open-factors.ts';
import { hasFactorProof } from '../trust/factor-types.ts';
import { addMethods, type BrowserSession, newBrowserSession, startInBrowser } from './browser-session.ts';

/**
 * Result of adding a factor to a login that uses two codes in one browser. The first code stores its proof in the browser's
 * session. The second code joins that session and can be exchanged. `renewed` contains the new secret for the cookie.
 */
export type FactorResult =
  | {
      readonly outcome: 'complete';
      readonly sessionId: string;
      readonly renewed?: BrowserSession;
    }
  | {
      readonly outcome: 'first';
      readonly sessionId: string;
      /** Names of the methods that can be the second factor. */
      readonly open: readonly string[];
      readonly renewed?: BrowserSession;
    };

export interface FactorFacts {
  /** Authorization code that requires two factors (`requireMfa`). */
  readonly code: AuthorizationCode;
  readonly application: Application;
  /** User whom the authorization code logs in. Undefined during sign-up. */
  readonly user: User | undefined;
  /** Factors that the user has verified for this authorization code and that are valid in this browser. */
  readonly methods: readonly MethodUse[];
  /** True if the client requires only one factor, but the proof of this code is insufficient. Another factor must be used. */
  readonly needsAnyFactor: boolean;
  /** Credential generation of the session that the code starts. */
  readonly generation: number;
  /** Records the factors that the user has verified for the code. Must be called after the code was consumed. */
  readonly noteProof: () => Promise<void>;
  /** Session of this browser, if a factor may be added to it. */
  readonly browserSession: Session | undefined;
  /** Session ID and secret hash from the browser's login cookie. */
  readonly cookieSession: LoginCookie | undefined;
  /** Time of the request in epoch seconds. */
  readonly at: number;
}

async function start(
  ports: PortsWith<'sessions.start' | 'sessions.releaseBrowser'>,
  { code, application, generation, methods, cookieSession, at }: FactorFacts,
): Promise<BrowserSession> {
  const { userId, tenantId, applicationId, clientId, userAgent, ipAddress } = code;
  const started = newBrowserSession(
    {
      userId,
      tenantId,
      applicationId,
      clientId,
      methods,
      awaitsSecondFactor: true,
      generation,
    },
    application,
    at,
    omitUndefined<Device>({ userAgent, ipAddress }),
  );
  await startInBrowser(ports, started.session, cookieSession);
  return started;
}

/** Adds proofs to a browser's session. Returns undefined if the session has ended, or if another request was faster. */
async function join(
  ports: PortsWith<'sessions.join'>,
  session: Session,
  methods: readonly MethodUse[],
  at: number,
): Promise<BrowserSession | undefined> {
  const secret = newSecret();
  return (await addMethods(ports, session, { uses: methods, secret, at })) ? { session, secret } : undefined;
}

/**
 * Adds a code as a factor to the login in this browser. The code becomes exchangeable only if the same user has used another
 * factor type in this browser. Returns undefined if the code was already used: exactly one of several concurrent callers gets a
 * result. Errors: `access_denied` if the user has no second factor; then nothing is written.
 */
export async function addFactor(
  ports: PortsWith<
    'codes.spend' | 'codes.upgrade' | 'sessions.join' | 'sessions.releaseBrowser' | 'sessions.start'
  >,
  facts: FactorFacts,
): Promise<FactorResult | undefined> {
  const { code, application, user, methods, browserSession, at } = facts;
  const joined = browserSession?.userId === code.userId ? browserSession : undefined;
  const proven = lastUses(...(joined?.methods ?? []), ...methods);
  const isEnough = facts.needsAnyFactor
    ? hasFactorProof(proven)
    : authenticationContext(proven).acr === 'mfa';

  if (joined && isEnough) {
    const { sessionId } = joined;
    const expiresAt = at + AUTHORIZATION_CODE_SECONDS;
    const upgrade = { methods: proven, sessionId, startsSession: false, expiresAt, at };
    if (!(await ports.codes.upgrade(code.hash, upgrade))) return undefined;
    // If the session has ended meanwhile, the exchange rejects the code.
    const [renewed] = await awaitAll(join(ports, joined, methods, at), facts.noteProof());
    return { outcome: 'complete', sessionId, ...(renewed ? { renewed } : {}) };
  }

  const open = findOpenFactors(application, user, proven);
  if (open.length === 0)
    throw new ServiceError('access_denied', {
      message: 'A second factor is required, and the user has none',
    });
  if (!(await ports.codes.spend(code.hash, at))) return undefined;
  const joinOrStart = async () =>
    (joined && (await join(ports, joined, methods, at))) ?? start(ports, { ...facts, methods });
  const [renewed] = await awaitAll(joinOrStart(), facts.noteProof());
  return { outcome: 'first', sessionId: renewed.session.sessionId, open, renewed };
}
