import { invalidInput } from '../../errors/service-error.ts';
import { APPROVAL_DATA_MAX_BYTES, APPROVAL_DATA_MAX_KEYS } from '../basis/limits.ts';

export type ApprovalData = Readonly<Record<string, string>>;

const KEY = /^[A-Za-z0-9_.-]+$/;
/** Some libraries drop these keys or turn them into a prototype: the user would approve less than was sent. */
const REFUSED_KEYS = new Set(['__proto__', 'constructor', 'prototype']);

/**
 * SPEC "Shared request objects": a flat object of at most 10 keys (letters, digits, `_`, `-`, `.`) with string values, at
 * most 4 KB as JSON. An empty object is allowed. Errors: `system_invalid_input`.
 */
export function readApprovalData(given: unknown): ApprovalData | undefined {
  if (given === undefined) return undefined;
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw invalidInput('approval_data: must be an object');
  const entries = Object.entries(given);
  if (entries.length > APPROVAL_DATA_MAX_KEYS)
    throw invalidInput(`approval_data: must have at most ${APPROVAL_DATA_MAX_KEYS} keys`);
  for (const [key, value] of entries) {
    if (REFUSED_KEYS.has(key)) throw invalidInput(`approval_data: the key ${key} is not allowed`);
    if (!KEY.test(key))
      throw invalidInput('approval_data: keys must be letters, digits, underscores, hyphens and periods');
    if (typeof value !== 'string') throw invalidInput(`approval_data: the value of ${key} must be a string`);
  }
  const data: ApprovalData = Object.fromEntries(entries as [string, string][]);
  if (Buffer.byteLength(JSON.stringify(data)) > APPROVAL_DATA_MAX_BYTES)
    throw invalidInput(`approval_data: must be at most ${APPROVAL_DATA_MAX_BYTES} bytes`);
  return data;
}
