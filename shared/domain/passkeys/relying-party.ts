import { createHmac } from 'node:crypto';
import type { Application, Tenant } from '../../ports/directory.ts';
import type { Using } from '../../ports/uses.ts';
import { RELATED_HOSTS_MAX } from '../basis/limits.ts';
import { refusedPasskey } from './passkey-refusal.ts';

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
 * Errors: `passkey_invalid` when it was set to another one meanwhile.
 */
export async function fixRpId(
  ports: Using<'rpIds'>,
  { applicationId, fixedRpId }: Application,
  rpId: string,
): Promise<void> {
  if (fixedRpId === rpId) return;
  if (!(await ports.rpIds.fix(applicationId, rpId))) throw refusedPasskey();
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

/** Hosts of web origins that are neither the RP ID nor below it: a browser asks us whether they belong to it. */
export function relatedHosts(origins: readonly string[], rpId: string | undefined): ReadonlySet<string> {
  const hosts = origins
    .filter((origin) => origin.startsWith('https://'))
    .map((origin) => new URL(origin).hostname);
  return new Set(hosts.filter((host) => host !== rpId && !host.endsWith(`.${rpId}`)));
}

/**
 * The origins that may use our RP ID from elsewhere (WebAuthn L3 §5.11): as many as browsers honour, those first that
 * were there first.
 */
export async function findRelatedOrigins(
  ports: Using<'relatedOrigins'>,
  { browserOrigin }: { readonly browserOrigin: string },
): Promise<readonly string[]> {
  const rpId = new URL(browserOrigin).hostname;
  const origins = await ports.relatedOrigins.list(rpId, { byDefault: true });
  const honoured = [...relatedHosts(origins, rpId)].slice(0, RELATED_HOSTS_MAX);
  return [...new Set(origins)].filter((origin) => honoured.includes(new URL(origin).hostname));
}
