import { invalidInput } from '../../errors/service-error.ts';
import { CUSTOM_DATA_MAX_BYTES, CUSTOM_DATA_MAX_DEPTH } from '../basis/limits.ts';

export type CustomAppData = Readonly<Record<string, unknown>>;

/**
 * Rejects data that is nested too deeply or contains `__proto__`. Iterates by level instead of recursing, because a caller
 * could choose a depth that overflows the stack.
 */
function checkShape(data: object): void {
  let level: readonly object[] = [data];
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > CUSTOM_DATA_MAX_DEPTH)
      throw invalidInput(`custom_app_data: must be nested at most ${CUSTOM_DATA_MAX_DEPTH} levels deep`);
    // A receiver that merges the data into an object would pollute its prototype.
    if (level.some((node) => Object.hasOwn(node, '__proto__')))
      throw invalidInput('custom_app_data: the key __proto__ is not allowed');
    level = level.flatMap((node) =>
      Object.values(node).filter((value) => typeof value === 'object' && value !== null),
    );
  }
}

/**
 * Validates the free-form data that an application stores with a user: an object of at most 16 KB as JSON, nested at most 20
 * levels deep. Errors: `system_invalid_input`.
 */
export function readCustomAppData(given: unknown): CustomAppData {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw invalidInput('custom_app_data: must be an object');
  checkShape(given);
  if (Buffer.byteLength(JSON.stringify(given)) > CUSTOM_DATA_MAX_BYTES)
    throw invalidInput(`custom_app_data: must be at most ${CUSTOM_DATA_MAX_BYTES} bytes as JSON`);
  return given as CustomAppData;
}
