import { identifierHash } from '../../domain/identifiers/identifier-hash.ts';
import type { AuditContext } from '../../operation.ts';
import type { MessageSubject } from '../../ports/delivery.ts';
import type { Tenant } from '../../ports/directory.ts';
import type { Identifier } from '../../ports/people.ts';
import { isAddressType } from '../../records/channels.ts';
import { masks } from '../../templates/mask.ts';

/** What a line tells of an address that was asked for, before its user is known. Another name than an address is nothing. */
export function addressFacts(tenant: Tenant, identifier: Identifier): AuditContext {
  const { type, value } = identifier;
  if (!isAddressType(type)) return {};
  return { recipient: masks[type](value), recipientHash: identifierHash(tenant, identifier) };
}

/** Who a message is about: its user, else the address. */
export const subjectOf = (
  { kind, userId }: { readonly kind?: string | undefined; readonly userId: string },
  addressHash: string,
): MessageSubject => (kind === 'signUp' ? { recipientHash: addressHash } : { userId });
