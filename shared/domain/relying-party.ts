import { createHmac } from 'node:crypto';
import { ServiceError } from '../errors/service-error.ts';
import type { Application, RpIds, Tenant } from '../ports/directory.ts';

/** For whom passkeys are made, and where they may be used (WebAuthn L3 §4, §5.1.3). */
export interface RelyingParty {
  readonly rpId: string;
  readonly origins: readonly string[];
}

/** The pages of the service itself are an origin of every application. */
export function relyingPartyOf(
  application: Application,
  { browserOrigin }: { readonly browserOrigin: string },
): RelyingParty {
  return {
    rpId: application.fixedRpId ?? application.rpId ?? new URL(browserOrigin).hostname,
    origins: [...new Set([...(application.origins ?? []), browserOrigin])],
  };
}

/**
 * Fixes the RP ID before the first passkey is stored: with another one every passkey would be lost.
 * Errors: `concurrent_change` when it was set to another one meanwhile.
 */
export async function fixRpId(
  ports: { readonly rpIds: RpIds },
  { applicationId, fixedRpId }: Application,
  rpId: string,
): Promise<void> {
  if (fixedRpId === rpId) return;
  if (!(await ports.rpIds.fix(applicationId, rpId))) throw new ServiceError('concurrent_change');
}

/**
 * What an authenticator keeps of the user: 32 bytes that nobody without the tenant's salt can tell from random ones, the
 * same for all passkeys of the user, so that an authenticator knows them as one account (WebAuthn L3 §5.4.3, §14.6.1).
 */
export function userHandle({ salt }: Tenant, userId: string): string {
  return createHmac('sha256', Buffer.from(salt, 'base64url'))
    .update(`webauthn-user-handle\n${userId}`)
    .digest('base64url');
}
