import { CALLER_ALGORITHMS } from '../domain/basis/key-algorithms.ts';
import { ServiceError } from '../errors/service-error.ts';

/** How a request presents an access token: alone (RFC 6750 §2.1), or with a proof of its key (RFC 9449 §7.1). */
export type TokenScheme = 'Bearer' | 'DPoP';

export function challenge(scheme: TokenScheme, error: string): string {
  return `${scheme} error="${error}"${scheme === 'DPoP' ? `, algs="${CALLER_ALGORITHMS.join(' ')}"` : ''}`;
}

/** RFC 6750 §3, RFC 9449 §7.1. */
export function invalidToken(scheme: TokenScheme = 'Bearer'): ServiceError {
  return new ServiceError('invalid_token', {
    headers: { 'www-authenticate': challenge(scheme, 'invalid_token') },
  });
}

export function insufficient(scheme: TokenScheme = 'Bearer'): ServiceError {
  return new ServiceError('insufficient_permission', {
    headers: { 'www-authenticate': challenge(scheme, 'insufficient_scope') },
  });
}
