import type { UpstreamAccount } from '../../ports/people.ts';
import { hashSecret } from '../basis/random.ts';
import { identityIdentifier } from '../identifiers/identifier.ts';

/** How a proof names its credential: `email`, `phoneNumber`, the ID of a passkey or key, or this, of an account at a provider. */
export function identityName(identity: UpstreamAccount): string {
  const { type, value } = identityIdentifier(identity);
  return hashSecret(`${type} ${value}`);
}
