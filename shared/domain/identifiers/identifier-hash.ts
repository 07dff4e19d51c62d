import { createHmac } from 'node:crypto';
import type { Tenant } from '../../ports/directory.ts';
import type { Identifier } from '../../ports/people.ts';

/**
 * Returns the hash that replaces an identifier where no address may be stored: HMAC-SHA-256 of type and value under the
 * tenant's salt, in base64url. Without a salt, an attacker could look up known addresses in a table of hashes.
 */
export function identifierHash(tenant: Tenant, identifier: Identifier): string {
  return createHmac('sha256', Buffer.from(tenant.salt, 'base64url'))
    .update(`${identifier.type}\n${identifier.value}`)
    .digest('base64url');
}
