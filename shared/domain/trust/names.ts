import type { UpstreamAccount } from '../../ports/people.ts';
import { hashSecret } from '../basis/random.ts';
import { identityIdentifier } from '../identifiers/identifier.ts';

/** Returns the name by which a proof refers to an account at a provider: a hash of provider, issuer and subject. */
export function identityName(identity: UpstreamAccount): string {
  const { type, value } = identityIdentifier(identity);
  return hashSecret(`${type} ${value}`);
}
