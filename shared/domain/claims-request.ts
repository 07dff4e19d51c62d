/** One requested claim (OIDC Core §5.5.1). */
export interface ClaimRequest {
  readonly essential: boolean;
  /** Asked for only if it has one of these values; absent: any. */
  readonly values?: readonly unknown[];
}

/** Which further claims were asked for, by token. Names that the service does not know are ignored. */
export interface ClaimsRequest {
  readonly idToken: ReadonlyMap<ClaimName, ClaimRequest>;
  readonly accessToken: ReadonlyMap<ClaimName, ClaimRequest>;
}

const CLAIM_NAMES = [
  'email',
  'email_verified',
  'phone_number',
  'phone_number_verified',
  'username',
  'name',
  'picture',
  'locale',
  'groups',
  'roles',
  'permissions',
  'org_id',
  'org_roles',
  'approval_data',
  'acr',
  'auth_time',
] as const;

export type ClaimName = (typeof CLAIM_NAMES)[number];

function readOne(given: unknown): ClaimRequest {
  if (typeof given !== 'object' || given === null) return { essential: false };
  const { essential, value, values } = given as { essential?: unknown; value?: unknown; values?: unknown };
  const wanted = Array.isArray(values) ? values : value === undefined ? undefined : [value];
  return { essential: essential === true, ...(wanted ? { values: wanted } : {}) };
}

function readToken(
  given: Readonly<Record<string, unknown>> | undefined,
): ReadonlyMap<ClaimName, ClaimRequest> {
  const asked = given ?? {};
  return new Map(
    CLAIM_NAMES.filter((name) => Object.hasOwn(asked, name)).map((name) => [name, readOne(asked[name])]),
  );
}

/** Reads the `claims` of a token request; the structure follows the OIDC claims parameter. */
export function readClaimsRequest(
  given:
    | {
        readonly id_token?: Readonly<Record<string, unknown>> | undefined;
        readonly access_token?: Readonly<Record<string, unknown>> | undefined;
      }
    | undefined,
): ClaimsRequest {
  return { idToken: readToken(given?.id_token), accessToken: readToken(given?.access_token) };
}

/**
 * The request as text, to be kept with the refresh family so that a refreshed token carries the same claims; names that
 * the service knows only, so that its size is bounded.
 */
export function writeClaimsRequest(request: ClaimsRequest): string | undefined {
  if (request.idToken.size === 0 && request.accessToken.size === 0) return undefined;
  return JSON.stringify({
    id_token: Object.fromEntries(request.idToken),
    access_token: Object.fromEntries(request.accessToken),
  });
}
