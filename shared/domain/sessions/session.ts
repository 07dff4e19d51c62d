import { ServiceError } from '../../errors/service-error.ts';
import type { Application } from '../../ports/directory.ts';
import type { Device, MethodUse, RefreshFamily, Session } from '../../ports/flows.ts';
import type { Using } from '../../ports/uses.ts';
import { SESSION_FAMILIES_MAX } from '../basis/limits.ts';
import { omitUndefined } from '../basis/omit-undefined.ts';
import { hashSecret, newId, newSecret } from '../basis/random.ts';
import { nowSeconds } from '../basis/time.ts';
import { lastUses } from '../credentials/mfa.ts';
import type { Audience } from './audience.ts';
import { beginningAt, idleEndAfter, isFreshFor, type SessionLifetimes } from './session-lifetimes.ts';

/** `<userId>.<random>`: whoever erases the user finds the session by its key. */
export function newSessionId(userId: string): string {
  return `${userId}.${newId()}`;
}

/**
 * The session that a login joins, as a second factor does. Unknown, ended, another user's or another application's: the
 * same answer. Errors: `session_not_found`.
 */
export async function requireJoinable(
  ports: Using<'sessions.find'>,
  whose: { readonly userId: string; readonly application: Application },
  sessionId: string | undefined,
): Promise<Session | undefined> {
  if (sessionId === undefined) return undefined;
  const at = nowSeconds();
  const { userId, application } = whose;
  const session = await ports.sessions.find(sessionId, at);
  const own =
    session !== undefined &&
    session.userId === userId &&
    session.tenantId === application.tenantId &&
    session.applicationId === application.applicationId &&
    isFreshFor(session, application, at);
  if (!own) throw new ServiceError('session_not_found');
  return session;
}

export interface LoginFacts {
  readonly at: number;
  /** What has been proven in this very login; none when a browser's session is used again. */
  readonly methods: readonly MethodUse[];
  readonly authTime: number;
  readonly userId: string;
  readonly tenantId: string;
  readonly applicationId: string;
  readonly clientId: string;
  readonly device: Device;
  /** Of a session that begins; one that is joined has its own. */
  readonly lifetimes: SessionLifetimes;
  readonly audience: Audience;
  readonly scope: string;
  /** Whether a refresh token is issued. */
  readonly offlineAccess: boolean;
  /** Chosen before, so that a code that is used twice finds what it made. */
  readonly ids?: { readonly sessionId: string; readonly familyId: string };
  readonly organizationId?: string;
  /** The claims request as JSON, for the tokens that a refresh makes. */
  readonly claims?: string;
  readonly nonce?: string;
  readonly dpopJkt?: string;
}

type SavePorts = Using<'sessions.start' | 'sessions.join'>;

/** A session after a login, not yet stored. */
export interface LoggedIn<Saving = SavePorts> {
  readonly session: Session;
  readonly familyId: string;
  readonly refreshToken?: string;
  /** Stores it, by starting or by joining. Errors: `session_not_found` when the joined session has ended meanwhile. */
  readonly save: (ports: Saving) => Promise<void>;
}

function newFamily(facts: LoginFacts, familyId: string, secret: string): RefreshFamily {
  const { audience, at } = facts;
  const endsAt = at + audience.maxRefreshRotateSeconds;
  return omitUndefined<RefreshFamily>({
    familyId,
    clientId: facts.clientId,
    currentHash: hashSecret(secret),
    scope: facts.scope,
    resource: audience.resource,
    organizationId: facts.organizationId,
    claims: facts.claims,
    nonce: facts.nonce,
    dpopJkt: facts.dpopJkt,
    authTime: facts.authTime,
    issuedAt: at,
    expiresAt: Math.min(at + audience.refreshTokenSeconds, endsAt),
    endsAt,
  });
}

/** Of the families of a session those that have to give way for one more: the dead, and the longest unused. */
function givingWay(families: readonly RefreshFamily[], at: number): readonly string[] {
  const alive = families.filter(({ expiresAt }) => expiresAt > at);
  const kept = [...alive].sort((a, b) => b.expiresAt - a.expiresAt).slice(0, SESSION_FAMILIES_MAX - 1);
  return families.filter((family) => !kept.includes(family)).map(({ familyId }) => familyId);
}

function joining(
  joined: Session,
  { at, methods }: LoginFacts,
  family: RefreshFamily | undefined,
): Pick<LoggedIn<Using<'sessions.join'>>, 'session' | 'save'> {
  const dropFamilies = family ? givingWay(joined.families, at) : [];
  const kept = joined.families.filter(({ familyId }) => !dropFamilies.includes(familyId));
  const expiresAt = idleEndAfter(joined, at);
  const change = { at, expiresAt, methods, dropFamilies, ...(family ? { family } : {}) };
  return {
    session: {
      ...joined,
      methods: lastUses(...joined.methods, ...methods),
      families: family ? [...kept, family] : kept,
      expiresAt,
    },
    save: async ({ sessions }) => {
      if (!(await sessions.join(joined.sessionId, change))) throw new ServiceError('session_not_found');
    },
  };
}

function starting(
  facts: LoginFacts,
  sessionId: string,
  family: RefreshFamily | undefined,
): Pick<LoggedIn, 'session' | 'save'> {
  const session: Session = {
    sessionId,
    userId: facts.userId,
    tenantId: facts.tenantId,
    applicationId: facts.applicationId,
    clientId: facts.clientId,
    methods: facts.methods,
    ...facts.device,
    ...beginningAt(facts.at, facts.lifetimes),
    families: family ? [family] : [],
  };
  return {
    session,
    save: async ({ sessions }) => {
      if (!(await sessions.start(session))) throw new ServiceError('session_not_found');
    },
  };
}

/** Opens a session for a consumed credential, or joins the one given. IDs and secrets are made here, nothing is stored. */
export function logIn(facts: LoginFacts, joined: Session): LoggedIn<Using<'sessions.join'>>;
export function logIn(facts: LoginFacts, joined: Session | undefined): LoggedIn;
export function logIn(facts: LoginFacts, joined: Session | undefined): LoggedIn {
  const { sessionId, familyId } = facts.ids ?? { sessionId: newSessionId(facts.userId), familyId: newId() };
  const secret = newSecret();
  const family = facts.offlineAccess ? newFamily(facts, familyId, secret) : undefined;
  const login = joined ? joining(joined, facts, family) : starting(facts, sessionId, family);
  const refreshToken = `${login.session.sessionId}.${familyId}.${secret}`;
  return { ...login, familyId, ...(family ? { refreshToken } : {}) };
}
