import { ServiceError } from '../../errors/service-error.ts';
import { CUSTOM_DATA_MAX_BYTES, CUSTOM_DATA_MAX_DEPTH } from '../basis/limits.ts';

export type CustomAppData = Readonly<Record<string, unknown>>;

function refuse(complaint: string): never {
  throw new ServiceError('system_invalid_input', { message: `custom_app_data: ${complaint}` });
}

/** Level by level, not by recursion: the depth is the caller's choice and would be ours to overflow on. */
function checkShape(data: object): void {
  let level: readonly object[] = [data];
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > CUSTOM_DATA_MAX_DEPTH) refuse(`must be nested at most ${CUSTOM_DATA_MAX_DEPTH} levels deep`);
    // Whoever merges the data into an object of theirs would give all their objects new members.
    if (level.some((node) => Object.hasOwn(node, '__proto__'))) refuse('the key __proto__ is not allowed');
    level = level.flatMap((node) =>
      Object.values(node).filter((value) => typeof value === 'object' && value !== null),
    );
  }
}

/**
 * Free data that an application keeps with a user: an object of at most 16 KB as JSON, nested at most 20 levels deep.
 * Errors: `system_invalid_input`.
 */
export function readCustomAppData(given: unknown): CustomAppData {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) refuse('must be an object');
  checkShape(given);
  if (Buffer.byteLength(JSON.stringify(given)) > CUSTOM_DATA_MAX_BYTES)
    refuse(`must be at most ${CUSTOM_DATA_MAX_BYTES} bytes as JSON`);
  return given as CustomAppData;
}
