import { ServiceError } from '../../errors/service-error.ts';
import type { Application } from '../../ports/directory.ts';
import type { RefreshFamily, Session } from '../../ports/flows.ts';
import type { PortsWith } from '../../ports/uses.ts';
import { chooseLoginDevice } from '../basis/client-attributes.ts';
import { SESSION_FAMILIES_MAX } from '../basis/limits.ts';
import { omitUndefined } from '../basis/omit-undefined.ts';
import { hashSecret, newId, newSecret, newSessionId } from '../basis/random.ts';
import { storedClaims } from '../claims/stored-claims.ts';
import { lastUses, usesToStore } from '../credentials/mfa.ts';
import { filterValidProofs } from '../trust/factor-types.ts';
import { currentGeneration } from '../trust/generations.ts';
import type { ProvenLogin } from './login.ts';
import {
  computeSessionTimes,
  idleEndAfter,
  meetsSessionSettings,
  sessionLifetimes,
} from './session-lifetimes.ts';

/**
 * Finds the session that a login joins, for example as a second factor. The session must be valid at `at` (epoch seconds). The
 * error is the same for unknown and ended sessions and for sessions of other users. Errors: `session_not_found`.
 */
export async function requireJoinable(
  ports: PortsWith<'sessions.find'>,
  { userId, application }: { readonly userId: string; readonly application: Application },
  sessionId: string | undefined,
  at: number,
): Promise<Session | undefined> {
  if (sessionId === undefined) return undefined;
  const session = filterValidSession(await ports.sessions.find(sessionId, at), application);
  const own =
    session !== undefined &&
    session.userId === userId &&
    session.tenantId === application.tenantId &&
    session.applicationId === application.applicationId &&
    meetsSessionSettings(session, application, at);
  if (!own) throw new ServiceError('session_not_found');
  return session;
}

/** Returns a session with only those proofs that are valid in an application, or undefined if no proof is valid there. */
export function filterValidSession(
  session: Session | undefined,
  { applicationId }: Application,
): Session | undefined {
  const methods = filterValidProofs(session?.methods ?? [], applicationId);
  return session && methods.length > 0 ? { ...session, methods } : undefined;
}

type SavePorts = PortsWith<'sessions.start' | 'sessions.join'>;

/** Session after a login, not stored yet. */
export interface LoggedIn<Saving = SavePorts> {
  readonly session: Session;
  readonly familyId: string;
  readonly refreshToken?: string;
  /**
   * Stores the new session or the changes of the joined session. Errors: `session_not_found` if the joined session has ended.
   */
  readonly save: (ports: Saving) => Promise<void>;
}

function newFamily(login: ProvenLogin, familyId: string, secret: string): RefreshFamily {
  const { audience, at, caller } = login;
  const endsAt = at + audience.maxRefreshRotateSeconds;
  return omitUndefined<RefreshFamily>({
    familyId,
    clientId: caller.client.clientId,
    currentHash: hashSecret(secret),
    scope: login.scope,
    resource: audience.resource,
    consentId: login.consentId,
    organizationId: login.membership?.organizationId,
    claims: storedClaims(caller.tenant, login.claims),
    idTokenClaims: login.idTokenClaims,
    nonce: login.nonce,
    dpopJkt: login.dpopJkt,
    authTime: login.proof.authTime ?? login.proof.at,
    methods: login.factors,
    issuedAt: at,
    expiresAt: Math.min(at + audience.refreshTokenSeconds, endsAt),
    endsAt,
  });
}

/**
 * Returns the IDs of the refresh token families that a new family replaces: expired families and, beyond the limit, the least
 * recently used families.
 */
function replacedFamilies(families: readonly RefreshFamily[], at: number): readonly string[] {
  const alive = families.filter(({ expiresAt }) => expiresAt > at);
  const kept = [...alive].sort((a, b) => b.expiresAt - a.expiresAt).slice(0, SESSION_FAMILIES_MAX - 1);
  return families.filter((family) => !kept.includes(family)).map(({ familyId }) => familyId);
}

function joining(
  joined: Session,
  { at, caller, methods: uses, noted }: ProvenLogin,
  family: RefreshFamily | undefined,
): Pick<LoggedIn<PortsWith<'sessions.join'>>, 'session' | 'save'> {
  const dropFamilies = family ? replacedFamilies(joined.families, at) : [];
  const kept = joined.families.filter(({ familyId }) => !dropFamilies.includes(familyId));
  const expiresAt = idleEndAfter(joined, at);
  const methods = usesToStore(joined.methods, uses);
  const fromBackend = joined.browserHash !== undefined && methods.length > 0;
  const { clientId } = caller.client;
  const change = {
    at,
    expiresAt,
    methods,
    dropFamilies,
    ...(clientId === joined.clientId ? {} : { clientId }),
    ...(family ? { family } : {}),
    ...(fromBackend ? { initialBrowserMethods: joined.methods } : {}),
    ...(noted?.newGenerations
      ? { generation: currentGeneration({ generations: noted.newGenerations }) }
      : {}),
  };
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
  { user, caller, methods, proof, device, noted, at }: ProvenLogin,
  sessionId: string,
  family: RefreshFamily | undefined,
): Pick<LoggedIn, 'session' | 'save'> {
  const session: Session = {
    sessionId,
    userId: user.userId,
    tenantId: user.tenantId,
    applicationId: caller.application.applicationId,
    clientId: caller.client.clientId,
    methods,
    ...chooseLoginDevice(proof.device, device),
    ...computeSessionTimes(at, sessionLifetimes(caller.application)),
    generation: currentGeneration(noted?.newGenerations ? { generations: noted.newGenerations } : user),
    families: family ? [family] : [],
  };
  return {
    session,
    save: async ({ sessions }) => {
      if (!(await sessions.start(session))) throw new ServiceError('session_not_found');
    },
  };
}

/** Starts a session for a login, or joins an existing session. Creates IDs and secrets, which the result's `save` stores. */
export function logIn(
  login: ProvenLogin & { readonly joined: Session },
): LoggedIn<PortsWith<'sessions.join'>>;
export function logIn(login: ProvenLogin): LoggedIn;
export function logIn(login: ProvenLogin): LoggedIn {
  const { joined, user } = login;
  const { sessionId, familyId } = login.ids ?? { sessionId: newSessionId(user.userId), familyId: newId() };
  const secret = newSecret();
  const family = login.offlineAccess ? newFamily(login, familyId, secret) : undefined;
  const loggedIn = joined ? joining(joined, login, family) : starting(login, sessionId, family);
  const refreshToken = `${loggedIn.session.sessionId}.${familyId}.${secret}`;
  return { ...loggedIn, familyId, ...(family ? { refreshToken } : {}) };
}
