import type { ErrorKey } from '../errors/catalogue.ts';
import type { Operation } from '../operation.ts';
import { acceptsToken, countsNetworks } from './effective-ports.ts';

const ALWAYS: readonly ErrorKey[] = ['internal_error', 'service_unavailable', 'not_found'];
const OF_TOKENS: readonly ErrorKey[] = ['invalid_token', 'insufficient_permission', 'rate_limited'];

/** Returns all error keys of an operation: the errors in its operation row, and those of its authentication and input. */
export function listErrors(row: Operation): readonly ErrorKey[] {
  const keys = new Set<ErrorKey>([...row.errors, ...ALWAYS]);
  if (acceptsToken(row)) for (const key of OF_TOKENS) keys.add(key);
  const needs = [row.operators, ...Object.values(row.fieldRoles ?? {})];
  if (needs.includes('guarded') || row.unguarded === 'withoutPower')
    keys.add('insufficient_user_authentication');
  // A function URL accepts every method and unauthenticated callers, unlike the gateway.
  if (row.reach === 'browser') keys.add('method_not_allowed');
  if (countsNetworks(row)) keys.add('rate_limited');
  if (row.input.json || row.input.form)
    for (const key of ['body_too_large', 'unsupported_media_type', 'system_invalid_input'] as const)
      keys.add(key);
  if (row.input.query || row.input.path) keys.add('system_invalid_input');
  return [...keys];
}
