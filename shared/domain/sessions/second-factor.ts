import { ServiceError } from '../../errors/service-error.ts';
import type { AuthorizationCode } from '../../ports/authorization.ts';
import type { Application, Tenant } from '../../ports/directory.ts';
import type { Device, MethodUse, Session } from '../../ports/flows.ts';
import type { User } from '../../ports/people.ts';
import type { Using } from '../../ports/uses.ts';
import type { HeldSession } from '../basis/browser.ts';
import { AUTHORIZATION_CODE_SECONDS } from '../basis/limits.ts';
import { omitUndefined } from '../basis/omit-undefined.ts';
import { newSecret } from '../basis/random.ts';
import { markBeside } from '../credentials/good-at.ts';
import { authenticationContext, lastUses } from '../credentials/mfa.ts';
import { openFactors } from '../credentials/open-factors.ts';
import { awakeAs, wokenBy, wokenUses } from '../identifiers/sleep.ts';
import { addMethods, type BrowserSession, newBrowserSession, startInBrowser } from './browser-session.ts';

/**
 * Two factors by two codes in one browser: the first code leaves its proof in the browser's session, the second one joins that
 * session and may be exchanged. `renewed` is for the cookie that each of them replaces.
 */
export type Factor =
  | {
      readonly outcome: 'complete';
      readonly sessionId: string;
      /** What these proofs wake. */
      readonly wakes: readonly string[];
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
  readonly tenant: Tenant;
  readonly application: Application;
  /** Undefined during sign-up. */
  readonly user: User | undefined;
  /** What the code proves. */
  readonly methods: readonly MethodUse[];
  /** The session of this browser, if a factor may be added to it. */
  readonly held: Session | undefined;
  /** What the login cookie names. */
  readonly cookie: HeldSession | undefined;
  /** Epoch seconds. */
  readonly at: number;
}

async function start(
  ports: Using<'sessions.start' | 'sessions.releaseBrowser'>,
  { code, application, user, methods, cookie, at }: FactorFacts,
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
      ...awakeAs(user?.asleepBefore),
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
  return (await addMethods(ports, session, methods, secret, at)) ? { session, secret } : undefined;
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
  const { code, application, user, held, at } = facts;
  const joined = held?.userId === code.userId ? held : undefined;
  const methods = facts.methods.map((use) =>
    user ? markBeside(use, facts, user, code.deliveredToHash, joined?.methods) : use,
  );
  const proven = lastUses(...(joined?.methods ?? []), ...methods);
  const woken = wokenUses(proven);

  if (joined && authenticationContext(woken).acr === 'mfa') {
    const { sessionId } = joined;
    const expiresAt = at + AUTHORIZATION_CODE_SECONDS;
    const upgrade = { methods: woken, sessionId, startsSession: false, expiresAt, at };
    if (!(await ports.codes.upgrade(code.hash, upgrade))) return undefined;
    // If the session has ended in this moment, the exchange refuses the code.
    const wakes = wokenBy(proven);
    const renewed = await join(ports, { ...joined, methods: woken }, wakes.length > 0 ? woken : methods, at);
    return { outcome: 'complete', sessionId, wakes, ...(renewed ? { renewed } : {}) };
  }

  const open = openFactors(application, user, proven);
  if (open.length === 0)
    throw new ServiceError('access_denied', {
      message: 'A second factor is required, and the user has none',
    });
  if (!(await ports.codes.spend(code.hash, at))) return undefined;
  const renewed =
    (joined && (await join(ports, joined, methods, at))) ?? (await start(ports, { ...facts, methods }));
  return { outcome: 'first', sessionId: renewed.session.sessionId, open, renewed };
}
