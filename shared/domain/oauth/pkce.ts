import { createHash } from 'node:crypto';
import { invalidInput, ServiceError } from '../../errors/service-error.ts';
import { areSecretsEqual } from '../basis/random.ts';

/** Pattern of a `code_challenge`: a SHA-256 digest in base64url (RFC 7636 §4.2). */
const CHALLENGE = /^[A-Za-z0-9_-]{43}$/;
/** Pattern of a `code_verifier` (RFC 7636 §4.1). */
const VERIFIER = /^[A-Za-z0-9\-._~]{43,128}$/;

/**
 * Reads the code challenge of an authorization request (RFC 7636 §4.3). Only S256 is accepted: a `plain` challenge reveals the
 * verifier to an attacker who sees the request (RFC 9700 §2.1.1). Errors: `system_invalid_input`.
 */
export function readCodeChallenge(
  challenge: string | undefined,
  method: string | undefined,
  required: boolean,
): string | undefined {
  if (challenge === undefined) {
    if (method !== undefined) throw invalidInput('code_challenge: is required with code_challenge_method');
    if (required) throw invalidInput('code_challenge: is required for this client');
    return undefined;
  }
  if (method !== 'S256') throw invalidInput('code_challenge_method: must be S256');
  if (!CHALLENGE.test(challenge))
    throw invalidInput('code_challenge: must be the base64url of a SHA-256 digest');
  return challenge;
}

/**
 * Verifies the code verifier (RFC 7636 §4.6). A code without a challenge must come without a verifier: an attacker could
 * otherwise remove the challenge from a request and inject the code elsewhere (RFC 9700 §4.8.2). Errors: `invalid_grant`.
 */
export function checkCodeVerifier(challenge: string | undefined, verifier: string | undefined): void {
  if (challenge === undefined && verifier === undefined) return;
  const digest = createHash('sha256')
    .update(verifier ?? '')
    .digest('base64url');
  const matches =
    challenge !== undefined &&
    verifier !== undefined &&
    VERIFIER.test(verifier) &&
    areSecretsEqual(digest, challenge);
  if (!matches) throw new ServiceError('invalid_grant', { message: 'code_verifier: does not match' });
}
