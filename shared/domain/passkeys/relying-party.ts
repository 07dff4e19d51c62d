import { createHmac } from 'node:crypto';
import type { Application, Tenant } from '../../ports/directory.ts';
import type { PortsWith } from '../../ports/uses.ts';
import { invalidPasskeyError } from './passkey-refusal.ts';

/** Relying party of an application's passkeys, with the origins that may use them (WebAuthn L3 §4, §5.1.3). */
export interface RelyingParty {
  readonly rpId: string;
  readonly origins: readonly string[];
}

/**
 * Returns the origins of an application's Android apps. Such an origin contains the SHA-256 hash of the app's signing
 * certificate, in the form that Android's Credential Manager reports.
 */
export const listAndroidOrigins = ({
  androidApps = [],
}: Pick<Application, 'androidApps'>): readonly string[] =>
  androidApps
    .flatMap(({ sha256CertFingerprints }) => sha256CertFingerprints)
    .map((fingerprint) => Buffer.from(fingerprint.replaceAll(':', ''), 'hex').toString('base64url'))
    .map((hash) => `android:apk-key-hash:${hash}`);

/**
 * Returns the relying party of an application. Its origins always include the origins of its Android apps and the origin of the
 * hosted pages (`browserOrigin`).
 */
export function toRelyingParty(
  application: Application,
  { browserOrigin }: { readonly browserOrigin: string },
): RelyingParty {
  return {
    rpId: application.fixedRpId ?? application.rpId ?? new URL(browserOrigin).hostname,
    origins: [
      ...new Set([...(application.origins ?? []), ...listAndroidOrigins(application), browserOrigin]),
    ],
  };
}

/**
 * Makes an application's RP ID permanent before the first passkey is stored, because a change would make every passkey
 * unusable.
 * Errors: `passkey_invalid` if another RP ID was made permanent in the meantime.
 */
export async function fixRpId(
  ports: PortsWith<'rpIds'>,
  { applicationId, fixedRpId }: Application,
  rpId: string,
): Promise<void> {
  if (fixedRpId === rpId) return;
  if (!(await ports.rpIds.fix(applicationId, rpId))) throw invalidPasskeyError();
}

/**
 * Returns the user handle of a user's passkeys: 32 bytes that look random without the tenant's salt, in base64url. All passkeys
 * of a user have the same handle, so that an authenticator treats them as one account (WebAuthn L3 §5.4.3, §14.6.1).
 */
export function userHandle({ salt }: Tenant, userId: string): string {
  return createHmac('sha256', Buffer.from(salt, 'base64url'))
    .update(`webauthn-user-handle\n${userId}`)
    .digest('base64url');
}
