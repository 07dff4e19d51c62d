import { identifierHash } from '../../domain/identifiers/identifier-hash.ts';
import type { AuditContext } from '../../operation.ts';
import type { MessageSubject } from '../../ports/delivery.ts';
import type { Tenant } from '../../ports/directory.ts';
import type { Identifier } from '../../ports/people.ts';
import { isAddressType } from '../../records/channels.ts';
import { masks } from '../../templates/mask.ts';

/** Returns the masked address and its hash as log fields, for a message whose user is not known yet. Empty for a username. */
export function toAddressAuditContext(tenant: Tenant, identifier: Identifier): AuditContext {
  const { type, value } = identifier;
  if (!isAddressType(type)) return {};
  return { recipient: masks[type](value), recipientHash: identifierHash(tenant, identifier) };
}

/** Returns the subject of a message: the user or, during sign-up, the hash of the address. */
export const toMessageSubject = (
  { kind, userId }: { readonly kind?: string | undefined; readonly userId: string },
  addressHash: string,
): MessageSubject => (kind === 'signUp' ? { recipientHash: addressHash } : { userId });
