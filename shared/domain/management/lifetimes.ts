import { invalidInput } from '../../errors/service-error.ts';
import {
  RESOURCE_ACCESS_TTL_MAX_SECONDS,
  RESOURCE_REFRESH_TTL_MAX_SECONDS,
  RESOURCE_TTL_MIN_SECONDS,
} from '../basis/limits.ts';

/** Lifetimes of tokens in seconds, under their names on the wire. */
export interface Lifetimes {
  readonly access_token_ttl: number;
  readonly refresh_token_ttl: number;
  readonly max_refresh_rotate: number;
}

function check(name: keyof Lifetimes, value: number, max: number): void {
  if (!Number.isInteger(value) || value < RESOURCE_TTL_MIN_SECONDS || value > max)
    throw invalidInput(`${name}: must be an integer from ${RESOURCE_TTL_MIN_SECONDS} to ${max}`);
}

/** A refresh token must not outlive the end of its rotation. Errors: `system_invalid_input`. */
export function checkLifetimes(given: Lifetimes): void {
  check('access_token_ttl', given.access_token_ttl, RESOURCE_ACCESS_TTL_MAX_SECONDS);
  check('refresh_token_ttl', given.refresh_token_ttl, RESOURCE_REFRESH_TTL_MAX_SECONDS);
  check('max_refresh_rotate', given.max_refresh_rotate, RESOURCE_REFRESH_TTL_MAX_SECONDS);
  if (given.refresh_token_ttl > given.max_refresh_rotate)
    throw invalidInput(`refresh_token_ttl: must be at most max_refresh_rotate (${given.max_refresh_rotate})`);
}
