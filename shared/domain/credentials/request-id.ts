import { equalSecrets, hashSecret, newSecret } from '../basis/random.ts';

/** The secret that ties an authenticate request to its send: returned once on request, stored as a hash. */
export interface RequestId {
  readonly value: string;
  readonly hash: string;
}

export function makeRequestId(asked: boolean | undefined): RequestId | undefined {
  if (!asked) return undefined;
  const value = newSecret();
  return { value, hash: hashSecret(value) };
}

/** Whether the request ID matches the send. A send without one accepts any. */
export function matchesRequestId(storedHash: string | undefined, presented: string | undefined): boolean {
  if (storedHash === undefined) return true;
  return presented !== undefined && equalSecrets(hashSecret(presented), storedHash);
}
