import { createHmac } from 'node:crypto';
import type { Application, OriginsOfApplication, Tenant } from '../../ports/directory.ts';
import type { PortsWith } from '../../ports/uses.ts';
import { RELATED_HOSTS_MAX } from '../basis/limits.ts';
import { invalidPasskeyError } from './passkey-refusal.ts';

/** Relying party of an application's passkeys, with the origins that may use them (WebAuthn L3 §4, §5.1.3). */
export interface RelyingParty {
  readonly rpId: string;
  readonly origins: readonly string[];
}

/** Returns the relying party of an application. Its origins always include the origin of the hosted pages (`browserOrigin`). */
export function toRelyingParty(
  application: Application,
  { browserOrigin }: { readonly browserOrigin: string },
): RelyingParty {
  return {
    rpId: application.fixedRpId ?? application.rpId ?? new URL(browserOrigin).hostname,
    origins: [...new Set([...(application.origins ?? []), browserOrigin])],
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

/** Returns the hosts of web origins that do not belong to the RP ID. Browsers check the related origins for these hosts. */
export function relatedHosts(origins: readonly string[], rpId: string | undefined): ReadonlySet<string> {
  const hosts = origins
    .filter((origin) => origin.startsWith('https://'))
    .map((origin) => new URL(origin).hostname);
  return new Set(hosts.filter((host) => host !== rpId && !host.endsWith(`.${rpId}`)));
}

/**
 * Selects as many related hosts as browsers support. Tenants take turns, so that no tenant gets its second host before every
 * other tenant has its first. In each turn, the tenant with the oldest application comes first.
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

/** Lists the related origins of the service's own RP ID (WebAuthn L3 §5.11). */
export async function findRelatedOrigins(
  ports: PortsWith<'relatedOrigins'>,
  { browserOrigin }: { readonly browserOrigin: string },
): Promise<readonly string[]> {
  const rpId = new URL(browserOrigin).hostname;
  const found = await ports.relatedOrigins.list(rpId, { byDefault: true });
  const applications = found.toSorted((one, other) => one.createdAt - other.createdAt);
  const honoured = honouredHosts(applications, rpId);
  const origins = new Set(applications.flatMap((application) => application.origins));
  return [...origins].filter((origin) => honoured.has(new URL(origin).hostname));
}
