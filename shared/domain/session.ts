import { ServiceError } from '../errors/service-error.ts';
import type { MethodUse, RefreshFamily, Session, Sessions } from '../ports/flows.ts';
import type { Audience } from './audience.ts';
import type { AuthenticationProof } from './authentication-proof.ts';
import type { Device } from './client-attributes.ts';
import { SESSION_ABSOLUTE_SECONDS, SESSION_FAMILIES_MAX, SESSION_IDLE_SECONDS } from './limits.ts';
import { hashSecret, newId, newSecret } from './random.ts';
import { nowSeconds } from './time.ts';

/** `<userId>.<random>`: whoever erases the user finds the session by its key. */
function newSessionId(userId: string): string {
  return `${userId}.${newId()}`;
}

/**
 * The session that a login joins, as a second factor does. Unknown, ended, another user's or another application's: the
 * same answer. Errors: `session_not_found`.
 */
export async function requireJoinable(
  ports: { readonly sessions: Sessions },
  whose: { readonly userId: string; readonly tenantId: string; readonly applicationId: string },
  sessionId: string | undefined,
): Promise<Session | undefined> {
  if (sessionId === undefined) return undefined;
  const session = await ports.sessions.find(sessionId, nowSeconds());
  const own =
    session !== undefined &&
    session.userId === whose.userId &&
    session.tenantId === whose.tenantId &&
    session.applicationId === whose.applicationId;
  if (!own) throw new ServiceError('session_not_found');
  return session;
}

export interface LoginFacts {
  readonly proof: AuthenticationProof;
  readonly userId: string;
  readonly tenantId: string;
  readonly applicationId: string;
  readonly clientId: string;
  readonly device: Device;
  readonly audience: Audience;
  readonly scope: string;
  readonly organizationId?: string;
  /** The claims request as it came, for the tokens that a refresh makes. */
  readonly claims?: string;
}

/** A session after a login, not yet stored, and the refresh token of its newest family. */
export interface LoggedIn {
  readonly session: Session;
  readonly family: RefreshFamily;
  readonly refreshToken: string;
  /** Stores it, by starting or by joining. Errors: `session_not_found` when the joined session has ended meanwhile. */
  readonly save: (ports: { readonly sessions: Sessions }) => Promise<void>;
}

function newFamily(facts: LoginFacts): { readonly family: RefreshFamily; readonly secret: string } {
  const secret = newSecret();
  const { audience, proof } = facts;
  const endsAt = proof.at + audience.maxRefreshRotateSeconds;
  const family: RefreshFamily = {
    familyId: newId(),
    clientId: facts.clientId,
    currentHash: hashSecret(secret),
    scope: facts.scope,
    ...(audience.resource === undefined ? {} : { resource: audience.resource }),
    ...(facts.organizationId === undefined ? {} : { organizationId: facts.organizationId }),
    ...(facts.claims === undefined ? {} : { claims: facts.claims }),
    authTime: proof.at,
    issuedAt: proof.at,
    expiresAt: Math.min(proof.at + audience.refreshTokenSeconds, endsAt),
    endsAt,
  };
  return { family, secret };
}

function join(joined: Session, family: RefreshFamily, method: MethodUse): Pick<LoggedIn, 'session' | 'save'> {
  const alive = joined.families.filter(({ expiresAt }) => expiresAt > method.at);
  const kept = [...alive].sort((a, b) => b.expiresAt - a.expiresAt).slice(0, SESSION_FAMILIES_MAX - 1);
  const dropFamilies = joined.families.filter((old) => !kept.includes(old)).map(({ familyId }) => familyId);
  const expiresAt = Math.min(method.at + SESSION_IDLE_SECONDS, joined.endsAt);
  return {
    session: { ...joined, methods: [...joined.methods, method], families: [...kept, family], expiresAt },
    save: async ({ sessions }) => {
      const change = { at: method.at, expiresAt, method, family, dropFamilies };
      if (!(await sessions.join(joined.sessionId, change))) throw new ServiceError('session_not_found');
    },
  };
}

/** Opens a session for a consumed credential, or joins the one given. IDs and secrets are made here, nothing is stored. */
export function logIn(facts: LoginFacts, joined: Session | undefined): LoggedIn {
  const { family, secret } = newFamily(facts);
  const method: MethodUse = { method: facts.proof.method, at: facts.proof.at };
  const token = (sessionId: string) => `${sessionId}.${family.familyId}.${secret}`;
  if (joined) return { ...join(joined, family, method), family, refreshToken: token(joined.sessionId) };
  const session: Session = {
    sessionId: newSessionId(facts.userId),
    userId: facts.userId,
    tenantId: facts.tenantId,
    applicationId: facts.applicationId,
    clientId: facts.clientId,
    methods: [method],
    ...facts.device,
    startedAt: method.at,
    expiresAt: method.at + SESSION_IDLE_SECONDS,
    endsAt: method.at + SESSION_ABSOLUTE_SECONDS,
    families: [family],
  };
  return {
    session,
    family,
    refreshToken: token(session.sessionId),
    save: ({ sessions }) => sessions.start(session),
  };
}
