import { errors, type JWTVerifyGetKey, jwtVerify } from 'jose';
import { CALLER_ALGORITHMS } from '../domain/basis/key-algorithms.ts';
import { FORMER_TOKEN_SECONDS, PROOF_SKEW_SECONDS } from '../domain/basis/limits.ts';
import { invalidInput, ServiceError } from '../errors/service-error.ts';
import type { FormerIssuer } from '../ports/directory.ts';

// ID tokens of the system that an application used before this service.

/** Login in the previous system, as its ID token describes it. */
export interface FormerLogin {
  readonly subject: string;
  /** Time of the login in the previous system or, if unknown, of the token's issue, in epoch seconds. */
  readonly authTime: number;
}

/** Codes of errors that occur while keys are fetched. They do not mean that the token is invalid. */
const KEY_FETCH_ERRORS: readonly string[] = ['ERR_JOSE_GENERIC', 'ERR_JWKS_INVALID', 'ERR_JWKS_TIMEOUT'];
const RETRY_AFTER_SECONDS = 5;

const invalidSubjectToken = (reason: string) => invalidInput(`subject_token: ${reason}`);

function toRefusal(cause: unknown): ServiceError {
  if (!(cause instanceof errors.JOSEError) || KEY_FETCH_ERRORS.includes(cause.code))
    return new ServiceError('provider_unavailable', { retryAfterSeconds: RETRY_AFTER_SECONDS, cause });
  if (cause instanceof errors.JWTExpired) return invalidSubjectToken('has expired');
  if (cause instanceof errors.JWTClaimValidationFailed)
    return invalidSubjectToken(`${cause.claim} is not the expected value`);
  return invalidSubjectToken('is not signed by a key of the former issuer');
}

/**
 * Reads an ID token of the previous issuer (OpenID Connect Core §3.1.3.7). The token must have a single audience, because a
 * token with several audiences was also issued for other recipients. It must be recent, because an old token may have been
 * stolen. `now` is in epoch seconds. Errors: `system_invalid_input`, and `provider_unavailable` if the keys cannot be fetched.
 */
export async function readFormerToken(
  token: string,
  keys: JWTVerifyGetKey,
  { issuer, audience }: Pick<FormerIssuer, 'issuer' | 'audience'>,
  now: number,
): Promise<FormerLogin> {
  const { payload, protectedHeader } = await jwtVerify(token, keys, {
    algorithms: [...CALLER_ALGORITHMS],
    issuer,
    audience,
    requiredClaims: ['exp', 'iat', 'sub'],
    currentDate: new Date(now * 1000),
  }).catch((cause: unknown) => {
    throw toRefusal(cause);
  });
  const { aud, iat = 0, sub, auth_time: authTime } = payload;
  // A token with another type was signed for another purpose (RFC 8725 §3.11).
  if (protectedHeader.typ !== undefined && protectedHeader.typ.toUpperCase() !== 'JWT')
    throw invalidSubjectToken('typ is not that of an ID token');
  if ([aud].flat().length !== 1) throw invalidSubjectToken('aud must contain exactly one audience');
  if (iat > now + PROOF_SKEW_SECONDS) throw invalidSubjectToken('iat is in the future');
  if (iat < now - FORMER_TOKEN_SECONDS)
    throw invalidSubjectToken(`iat is more than ${FORMER_TOKEN_SECONDS} seconds ago`);
  if (typeof sub !== 'string' || sub === '') throw invalidSubjectToken('sub must be a string');
  const isTime = typeof authTime === 'number' && authTime > 0 && authTime <= iat;
  return { subject: sub, authTime: Math.floor(Math.min(isTime ? authTime : iat, now)) };
}
