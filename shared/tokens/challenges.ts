import { CALLER_ALGORITHMS } from '../domain/basis/key-algorithms.ts';
import { type ErrorDetail, escapeRequested, ServiceError } from '../errors/service-error.ts';

/** Scheme of an access token: `Bearer` (RFC 6750 §2.1), or `DPoP` with a proof of the token's key (RFC 9449 §7.1). */
export type TokenScheme = 'Bearer' | 'DPoP';

export function tokenScheme({ dpopJkt }: { readonly dpopJkt?: string }): TokenScheme {
  return dpopJkt === undefined ? 'Bearer' : 'DPoP';
}

export function challenge(scheme: TokenScheme, error: string, parameters = ''): string {
  return `${scheme} error="${error}"${parameters}${scheme === 'DPoP' ? `, algs="${CALLER_ALGORITHMS.join(' ')}"` : ''}`;
}

/**
 * Texts for developers that say why an access token was rejected. Users see one message for all reasons. A text reveals nothing
 * beyond the token that the caller has sent.
 */
export const TOKEN_FAULT_MESSAGES = {
  missing: 'An access token is missing: Authorization: Bearer and the token',
  malformed: 'This is not an access token of this service',
  expired: 'The access token has expired',
  audience: 'The access token is for another audience',
  revoked: 'The access token was revoked, or its session, client or application has ended',
  origin: 'The origin of the page is not an origin of the application',
  binding: 'The access token and the DPoP proof do not belong together',
} as const;

export type TokenFault = keyof typeof TOKEN_FAULT_MESSAGES;

/** Replaces characters that RFC 6750 §3 does not allow in a quoted parameter. */
const quotable = (text: string): string => text.replaceAll(/["\\]/g, "'").replaceAll(/[^\x20-\x7e]/g, '?');

const described = (text: string) => `, error_description="${quotable(text)}"`;

/** Creates the error for an invalid access token (RFC 6750 §3, RFC 9449 §7.1). */
export function invalidToken(
  fault: TokenFault,
  scheme: TokenScheme = 'Bearer',
  detail: Pick<ErrorDetail, 'message' | 'unknownValue'> = {},
): ServiceError {
  return new ServiceError('invalid_token', {
    ...detail,
    headers: {
      'www-authenticate': challenge(scheme, 'invalid_token', described(TOKEN_FAULT_MESSAGES[fault])),
    },
  });
}

/** Creates the error for a call without a token from a page whose origin is not allowed. */
export const originRefused = (origin: string): ServiceError =>
  invalidToken('origin', 'Bearer', {
    message: TOKEN_FAULT_MESSAGES.origin,
    unknownValue: escapeRequested(origin),
  });

/**
 * Creates the error for an insufficient login (RFC 9470 §3). It contains `acr_values` only if a second factor is missing.
 * @param maxAge Maximum age of the login in seconds
 */
export function insufficientLogin(
  scheme: TokenScheme,
  lack: 'login' | 'second-factor',
  maxAge: number,
): ServiceError {
  const acr = lack === 'second-factor' ? ', acr_values="mfa"' : '';
  const header = challenge(scheme, 'insufficient_user_authentication', `${acr}, max_age=${maxAge}`);
  return new ServiceError('insufficient_user_authentication', { headers: { 'www-authenticate': header } });
}

/**
 * Creates the error for a missing permission.
 * @param need Text that names the sufficient permissions, such as `needs users:read or users:edit`
 */
export function insufficientPermissionError(need: string, scheme: TokenScheme = 'Bearer'): ServiceError {
  const message = `Insufficient permission: ${need}`;
  return new ServiceError('insufficient_permission', {
    message,
    headers: { 'www-authenticate': challenge(scheme, 'insufficient_scope', described(message)) },
  });
}
