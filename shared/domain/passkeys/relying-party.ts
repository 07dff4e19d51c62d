import { createHmac } from 'node:crypto';
import type { Application, OriginsOfApplication, Tenant } from '../../ports/directory.ts';
import type { Using } from '../../ports/uses.ts';
import { RELATED_HOSTS_MAX } from '../basis/limits.ts';
import { refusedPasskey } from './passkey-refusal.ts';

/** The relying party of passkeys, and the origins that may use them (WebAuthn L3 §4, §5.1.3). */
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
 * Fixes the RP ID before the first passkey is stored: a change would lose every passkey. Errors: `passkey_invalid` when it was
 * set to another one meanwhile.
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
 * The user handle: 32 bytes that look random without the tenant's salt, in base64url. All passkeys of a user share it, so that
 * an authenticator treats them as one account (WebAuthn L3 §5.4.3, §14.6.1).
 */
export function userHandle({ salt }: Tenant, userId: string): string {
  return createHmac('sha256', Buffer.from(salt, 'base64url'))
    .update(`webauthn-user-handle\n${userId}`)
    .digest('base64url');
}

/** Hosts of web origins outside the RP ID: browsers ask for permission to use it there. */
export function relatedHosts(origins: readonly string[], rpId: string | undefined): ReadonlySet<string> {
  const hosts = origins
    .filter((origin) => origin.startsWith('https://'))
    .map((origin) => new URL(origin).hostname);
  return new Set(hosts.filter((host) => host !== rpId && !host.endsWith(`.${rpId}`)));
}

/**
 * As many hosts as browsers honour, in turns: no tenant gets its second one while another waits for its first. In a turn the
 * tenant with the oldest application comes first.
 */
function honouredHosts(applications: readonly OriginsOfApplication[], rpId: string): ReadonlySet<string> {
  const ofTenants = new Map<string, string[]>();
  for (const { tenantId, origins } of applications) {
    const hosts = ofTenants.get(tenantId) ?? [];
    ofTenants.set(tenantId, [...new Set([...hosts, ...relatedHosts(origins, rpId)])]);
  }
  const turns = Array.from({ length: RELATED_HOSTS_MAX }, (_, turn) =>
    [...ofTenants.values()].flatMap((hosts) => hosts.slice(turn, turn + 1)),
  );
  return new Set([...new Set(turns.flat())].slice(0, RELATED_HOSTS_MAX));
}

/** The related origins of our RP ID (WebAuthn L3 §5.11). */
export async function findRelatedOrigins(
  ports: Using<'relatedOrigins'>,
  { browserOrigin }: { readonly browserOrigin: string },
): Promise<readonly string[]> {
  const rpId = new URL(browserOrigin).hostname;
  const found = await ports.relatedOrigins.list(rpId, { byDefault: true });
  const applications = found.toSorted((one, other) => one.createdAt - other.createdAt);
  const honoured = honouredHosts(applications, rpId);
  const origins = new Set(applications.flatMap((application) => application.origins));
  return [...origins].filter((origin) => honoured.has(new URL(origin).hostname));
}
