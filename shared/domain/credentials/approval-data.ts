import { invalidInput } from '../../errors/service-error.ts';
import type { ApprovalData, ApprovedTexts } from '../../ports/signing.ts';
import { APPROVAL_DATA_MAX_BYTES, APPROVAL_DATA_MAX_KEYS } from '../basis/limits.ts';

const TYPE = /^[A-Za-z0-9_.-]{1,64}$/;

const KEY = /^[A-Za-z0-9_.-]+$/;
/**
 * Object keys that are rejected. Some libraries drop them or use them as a prototype, so the user would approve less than was
 * sent.
 */
const REFUSED_KEYS = new Set(['__proto__', 'constructor', 'prototype']);

/** Returns true if a value is an object but not an array. */
export const isJsonObject = (one: unknown): one is Readonly<Record<string, unknown>> =>
  typeof one === 'object' && one !== null && !Array.isArray(one);

/**
 * Checks approval data (SPEC "Shared request objects"): a flat object of at most 10 keys (letters, digits, `_`, `-`, `.`) with
 * string values, at most 4 KB as JSON. An empty object is allowed. Errors: `system_invalid_input`.
 */
export function readApprovalData(given: unknown): ApprovedTexts | undefined {
  if (given === undefined) return undefined;
  if (!isJsonObject(given)) throw invalidInput('approval_data: must be an object');
  const entries = Object.entries(given);
  if (entries.length > APPROVAL_DATA_MAX_KEYS)
    throw invalidInput(`approval_data: must have at most ${APPROVAL_DATA_MAX_KEYS} keys`);
  for (const [key, value] of entries) {
    if (REFUSED_KEYS.has(key)) throw invalidInput(`approval_data: the key ${key} is not allowed`);
    if (!KEY.test(key))
      throw invalidInput('approval_data: keys must be letters, digits, underscores, hyphens and periods');
    if (typeof value !== 'string') throw invalidInput(`approval_data: the value of ${key} must be a string`);
  }
  const data: ApprovedTexts = Object.fromEntries(entries as [string, string][]);
  if (Buffer.byteLength(JSON.stringify(data)) > APPROVAL_DATA_MAX_BYTES)
    throw invalidInput(`approval_data: must be at most ${APPROVAL_DATA_MAX_BYTES} bytes`);
  return data;
}

/**
 * Reads `approval_data` of `claims.id_token`: `{value: {…}}` (OIDC Core §5.5.1), or `{type, data: {…}}`, as existing clients
 * send it. Rejects any other form, because a login without its approval data would still look like an approval. Errors:
 * `system_invalid_input`.
 */
export function readApprovalClaim(
  idToken: Readonly<Record<string, unknown>> | undefined,
): ApprovalData | undefined {
  if (idToken === undefined || !Object.hasOwn(idToken, 'approval_data')) return undefined;
  const { approval_data: claim } = idToken;
  if (!isJsonObject(claim))
    throw invalidInput('claims: approval_data must be an object with value, or type and data');
  const { value, type, data } = claim;
  if (type === undefined && data === undefined) {
    const texts = readApprovalData(value);
    if (texts) return texts;
    throw invalidInput('claims: approval_data needs value, or type and data');
  }
  if (value !== undefined)
    throw invalidInput('claims: approval_data must have either value, or type and data');
  if (typeof type !== 'string' || !TYPE.test(type))
    throw invalidInput(
      'claims: approval_data.type must be up to 64 letters, digits, underscores, hyphens and periods',
    );
  const texts = readApprovalData(data);
  if (!texts) throw invalidInput('claims: approval_data.data is required');
  return { type, data: texts };
}

/** Reads the approval data of a code request (SPEC C), from `approval_data` or `claims`. Errors: `system_invalid_input`. */
export function readApproval({
  approval_data: own,
  claims,
}: {
  readonly approval_data?: unknown;
  readonly claims?: { readonly id_token?: Readonly<Record<string, unknown>> | undefined } | undefined;
}): ApprovalData | undefined {
  const [field, claim] = [readApprovalData(own), readApprovalClaim(claims?.id_token)];
  if (field && claim)
    throw invalidInput('claims: approval_data must not be sent in addition to the field approval_data');
  return field ?? claim;
}

/** Returns the approval data as the fields that signing artifacts contain. */
export function toApprovalFields(given: ApprovalData): {
  readonly approval_data: ApprovedTexts;
  readonly approval_type?: string;
} {
  const { type, texts = {} } = splitApprovalData(given);
  return { approval_data: texts, ...(type === undefined ? {} : { approval_type: type }) };
}

/** Splits approval data into its texts and its optional type. */
export function splitApprovalData(given: ApprovalData | undefined): {
  readonly type?: string;
  readonly texts?: ApprovedTexts;
} {
  if (given === undefined) return {};
  const { data } = given;
  return typeof data === 'object'
    ? { type: String(given.type), texts: data }
    : { texts: given as ApprovedTexts };
}
