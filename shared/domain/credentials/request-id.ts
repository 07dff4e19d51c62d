import { areSecretsEqual, hashSecret, newSecret } from '../basis/random.ts';

/**
 * Secret that ties an authenticate request to the request that sent the code. The ID is returned once, if the backend asks for
 * it, and stored as a hash.
 */
export interface RequestId {
  readonly value: string;
  readonly hash: string;
}

export function makeRequestId(asked: boolean | undefined): RequestId | undefined {
  if (!asked) return undefined;
  const value = newSecret();
  return { value, hash: hashSecret(value) };
}

/** Returns true if a request ID equals that of the code's send request. A code sent without a request ID accepts any ID. */
export function matchesRequestId(storedHash: string | undefined, presented: string | undefined): boolean {
  if (storedHash === undefined) return true;
  return presented !== undefined && areSecretsEqual(hashSecret(presented), storedHash);
}
