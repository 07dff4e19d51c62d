import { ServiceError } from '../../errors/service-error.ts';
import type { AuthorizationCode } from '../../ports/authorization.ts';
import type { Application } from '../../ports/directory.ts';
import type { Device, MethodUse, Session } from '../../ports/flows.ts';
import type { User } from '../../ports/people.ts';
import type { Using } from '../../ports/uses.ts';
import { awaitAll } from '../basis/await-all.ts';
import type { HeldSession } from '../basis/browser.ts';
import { AUTHORIZATION_CODE_SECONDS } from '../basis/limits.ts';
import { omitUndefined } from '../basis/omit-undefined.ts';
import { newSecret } from '../basis/random.ts';
import { authenticationContext, lastUses } from '../credentials/mfa.ts';
import { openFactors } from '../credentials/open-factors.ts';
import { hasPerson } from '../trust/kinds.ts';
import { addMethods, type BrowserSession, newBrowserSession, startInBrowser } from './browser-session.ts';

/**
 * Two factors by two codes in one browser: the first code leaves its proof in the browser's session, the second one joins that
 * session and may be exchanged. `renewed` is for the cookie that each of them replaces.
 */
export type Factor =
  | {
      readonly outcome: 'complete';
      readonly sessionId: string;
      readonly renewed?: BrowserSession;
    }
  | {
      readonly outcome: 'first';
      readonly sessionId: string;
      /** The methods that can still be the second one, by name. */
      readonly open: readonly string[];
      readonly renewed?: BrowserSession;
    };

export interface FactorFacts {
  /** A code with `requireMfa`. */
  readonly code: AuthorizationCode;
  readonly application: Application;
  /** Undefined during sign-up. */
  readonly user: User | undefined;
  /** What the code proves in this browser. */
  readonly methods: readonly MethodUse[];
  /** The code needs company, whatever its client has asked for: then any proof of the person is enough. */
  readonly needsCompanyOnly: boolean;
  /** Of a session that begins with it. */
  readonly generation: number;
  /** Notes the proof, once the code is spent. */
  readonly noteProof: () => Promise<void>;
  /** The session of this browser, if a factor may be added to it. */
  readonly held: Session | undefined;
  /** What the login cookie names. */
  readonly cookie: HeldSession | undefined;
  /** Epoch seconds. */
  readonly at: number;
}

async function start(
  ports: Using<'sessions.start' | 'sessions.releaseBrowser'>,
  { code, application, generation, methods, cookie, at }: FactorFacts,
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
  await startInBrowser(ports, started.session, cookie);
  return started;
}

/** Undefined when the session has ended, or was joined by another request of this browser, in this moment. */
async function join(
  ports: Using<'sessions.join'>,
  session: Session,
  methods: readonly MethodUse[],
  at: number,
): Promise<BrowserSession | undefined> {
  const secret = newSecret();
  return (await addMethods(ports, session, { uses: methods, secret, at })) ? { session, secret } : undefined;
}

/**
 * Counts a code as one factor of the login in this browser. Undefined when it is used already: of many callers one gets an
 * outcome. Only another kind of factor of the same user in this browser makes the code exchangeable.
 * Errors: `access_denied` when the user has no second factor; then nothing is written.
 */
export async function addFactor(
  ports: Using<
    'codes.spend' | 'codes.upgrade' | 'sessions.join' | 'sessions.releaseBrowser' | 'sessions.start'
  >,
  facts: FactorFacts,
): Promise<Factor | undefined> {
  const { code, application, user, methods, held, at } = facts;
  const joined = held?.userId === code.userId ? held : undefined;
  const proven = lastUses(...(joined?.methods ?? []), ...methods);
  const isEnough = facts.needsCompanyOnly ? hasPerson(proven) : authenticationContext(proven).acr === 'mfa';

  if (joined && isEnough) {
    const { sessionId } = joined;
    const expiresAt = at + AUTHORIZATION_CODE_SECONDS;
    const upgrade = { methods: proven, sessionId, startsSession: false, expiresAt, at };
    if (!(await ports.codes.upgrade(code.hash, upgrade))) return undefined;
    // If the session has ended in this moment, the exchange refuses the code.
    const [renewed] = await awaitAll(join(ports, joined, methods, at), facts.noteProof());
    return { outcome: 'complete', sessionId, ...(renewed ? { renewed } : {}) };
  }

  const open = openFactors(application, user, proven);
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
