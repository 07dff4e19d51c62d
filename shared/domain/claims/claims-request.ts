import { invalidInput } from '../../errors/service-error.ts';
import type { ClaimNames, Field } from '../../records/field.ts';
import { nameFields, profileFields } from '../../records/profile.ts';
import { CLAIM_VALUES_MAX, CLAIMS_REQUEST_MAX_BYTES } from '../basis/limits.ts';

/** Request for one claim (OIDC Core §5.5.1). */
export interface ClaimRequest {
  readonly essential: boolean;
  /** Accepted values. Absent if any value is accepted. */
  readonly values?: readonly unknown[];
  /** Hashes of the accepted values, which replace the values in stored requests (see `storedClaims`). */
  readonly valueHashes?: readonly string[];
}

/** Claims that a client requests for each token and for UserInfo. Unknown names are ignored (OIDC Core §5.5). */
export interface ClaimsRequest {
  readonly idToken: ReadonlyMap<ClaimName, ClaimRequest>;
  readonly accessToken: ReadonlyMap<ClaimName, ClaimRequest>;
  readonly userInfo: ReadonlyMap<ClaimName, ClaimRequest>;
}

const USER_FIELDS = { ...nameFields, ...profileFields };
/** Claims that are fields of the user's profile, with the names of these fields. */
export const CLAIM_FIELDS = Object.fromEntries(
  Object.entries<Field>(USER_FIELDS).flatMap(([key, { claim }]) =>
    claim === undefined ? [] : [[claim, key]],
  ),
) as Readonly<Record<ClaimNames<typeof USER_FIELDS>, keyof typeof USER_FIELDS>>;

/** Claims about the user that are not profile fields and do not depend on the login. */
const OTHER_USER_CLAIMS = [
  'email',
  'email_verified',
  'phone_number',
  'phone_number_verified',
  'preferred_username',
  'name',
  'updated_at',
] as const;

export type OtherUserClaim = (typeof OTHER_USER_CLAIMS)[number];
export type UserClaimName = OtherUserClaim | keyof typeof CLAIM_FIELDS;

const OTHER_CLAIMS = [
  'roles',
  'permissions',
  'org_id',
  'org_roles',
  'approval_data',
  'acr',
  'auth_time',
  'tid',
  'new_user',
] as const;

export type ClaimName = UserClaimName | (typeof OTHER_CLAIMS)[number];

/** Claims that the `claims` parameter of a request may name. */
export const CLAIM_NAMES = [
  ...OTHER_USER_CLAIMS,
  ...(Object.keys(CLAIM_FIELDS) as (keyof typeof CLAIM_FIELDS)[]),
  ...OTHER_CLAIMS,
] as const satisfies readonly ClaimName[];

const isPlain = (value: unknown) => typeof value !== 'object' || value === null;

/**
 * Returns true for plain values and for objects of plain values. No claim needs more, and deep nesting could overflow the
 * stack.
 */
const isFlat = (value: unknown) => isPlain(value) || Object.values(value as object).every(isPlain);

function readOne(given: unknown): ClaimRequest {
  if (typeof given !== 'object' || given === null) return { essential: false };
  const { essential, value, values } = given as { essential?: unknown; value?: unknown; values?: unknown };
  const wanted = Array.isArray(values) ? values : value === undefined ? undefined : [value];
  if (wanted && !wanted.every(isFlat))
    throw invalidInput('claims: a value must be a text, number, boolean, list or flat object');
  return { essential: essential === true, ...(wanted ? { values: wanted } : {}) };
}

function readPart(
  given: Readonly<Record<string, unknown>> | undefined,
): ReadonlyMap<ClaimName, ClaimRequest> {
  const asked = given ?? {};
  return new Map(
    CLAIM_NAMES.filter((name) => Object.hasOwn(asked, name)).map((name) => [name, readOne(asked[name])]),
  );
}

function countValues(request: ClaimsRequest): number {
  const all = Object.values(request).flatMap((asked: ClaimsRequest['idToken']) => [...asked.values()]);
  return all.reduce((count, { values }) => count + (values?.length ?? 0), 0);
}

/**
 * Reads the `claims` parameter of a token request, structured as in OIDC Core §5.5. Sessions store the parameter, so its known
 * claims may take at most 4 KB as JSON and name a limited number of values. Throws `system_invalid_input`.
 */
export function readClaimsRequest(
  given:
    | {
        readonly id_token?: Readonly<Record<string, unknown>> | undefined;
        readonly access_token?: Readonly<Record<string, unknown>> | undefined;
        readonly userinfo?: Readonly<Record<string, unknown>> | undefined;
      }
    | undefined,
): ClaimsRequest {
  const request = {
    idToken: readPart(given?.id_token),
    accessToken: readPart(given?.access_token),
    userInfo: readPart(given?.userinfo),
  };
  if (Buffer.byteLength(writeClaimsRequest(request) ?? '') > CLAIMS_REQUEST_MAX_BYTES)
    throw invalidInput(`claims: must be at most ${CLAIMS_REQUEST_MAX_BYTES} bytes`);
  if (countValues(request) > CLAIM_VALUES_MAX)
    throw invalidInput(`claims: must name at most ${CLAIM_VALUES_MAX} values`);
  return request;
}

/**
 * Converts a claims request, including its values, to JSON. Only sealed (encrypted) records may store the result. Returns
 * undefined for an empty request.
 */
export function writeClaimsRequest(request: ClaimsRequest): string | undefined {
  const { idToken, accessToken, userInfo } = request;
  if ([idToken, accessToken, userInfo].every(({ size }) => size === 0)) return undefined;
  return JSON.stringify({
    id_token: Object.fromEntries(idToken),
    access_token: Object.fromEntries(accessToken),
    ...(userInfo.size > 0 ? { userinfo: Object.fromEntries(userInfo) } : {}),
  });
}
