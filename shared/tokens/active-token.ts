import { awaitAll } from '../domain/basis/await-all.ts';
import { acceptsDocument } from '../domain/oauth/client-document.ts';
import { findConsentById } from '../domain/oauth/consent.ts';
import { isSessionValid } from '../domain/users/user-status.ts';
import type { UserCaller } from '../operation.ts';
import type { Session } from '../ports/flows.ts';
import type { User } from '../ports/people.ts';
import type { PortsWith } from '../ports/uses.ts';
import { familyClaim } from './issue.ts';

export type ActiveTokenPorts = PortsWith<
  'clients' | 'sessions.find' | 'revokedTokens.isRevoked' | 'users.find'
>;

/** Ports for operations that also accept tokens which were issued to clients with a metadata document. */
export type ConsentedTokenPorts = ActiveTokenPorts & PortsWith<'applications' | 'consents.find'>;

/** User of an access token, with the active session to which the token belongs. */
export interface ActiveLogin {
  readonly user: User;
  readonly session: Session;
}

/** Returns true if the token's client still exists in its application. A deleted application no longer has any clients. */
const hasClient = async (ports: PortsWith<'clients'>, { clientId, applicationId }: UserCaller) =>
  (await ports.clients.find(clientId, { fresh: true }))?.applicationId === applicationId;

/** Returns true if the user's consent to a client with a metadata document is valid and the application accepts the client. */
async function hasConsent(
  { consents, applications }: Partial<ConsentedTokenPorts>,
  { userId, applicationId, clientId }: UserCaller,
  consentId: string,
  now: number,
): Promise<boolean> {
  if (!consents || !applications) return false;
  const [consent, application] = await awaitAll(
    findConsentById({ consents }, userId, consentId, now),
    applications.find(applicationId),
  );
  return (
    consent?.clientId === clientId && application !== undefined && acceptsDocument(application, clientId)
  );
}

/**
 * Finds the user and the session of an access token whose signature and expiry were already verified. Returns undefined if, at
 * `now` (epoch seconds), the token was revoked, or if its user, session, refresh family, client or consent has ended.
 */
export async function findActiveLogin(
  ports: ActiveTokenPorts & Partial<ConsentedTokenPorts>,
  token: UserCaller,
  now: number,
): Promise<ActiveLogin | undefined> {
  const { consentId } = token;
  const [session, user, isHeld, revoked] = await awaitAll(
    ports.sessions.find(token.sessionId, now),
    ports.users.find(token.userId),
    consentId === undefined ? hasClient(ports, token) : hasConsent(ports, token, consentId, now),
    ports.revokedTokens.isRevoked(token.jti, now),
  );
  if (!session || revoked || !isHeld) return undefined;
  if (session.tenantId !== token.tenantId || !isSessionValid(user, session)) return undefined;
  const belongs = session.families.some(({ familyId }) => familyClaim(familyId) === token.familyClaim);
  return token.familyClaim === undefined || belongs ? { user, session } : undefined;
}
