// Claims requests that are stored with codes and refresh token families, for tokens that are issued later. A requested value
// may be a user's address, which these records must not contain, so an HMAC under the tenant's salt replaces each value.
import { createHmac } from 'node:crypto';
import type { Tenant } from '../../ports/directory.ts';
import {
  type ClaimName,
  type ClaimRequest,
  type ClaimsRequest,
  readClaimsRequest,
  writeClaimsRequest,
} from './claims-request.ts';

type Salted = Pick<Tenant, 'salt'>;

function hashValue({ salt }: Salted, value: unknown): string {
  return createHmac('sha256', Buffer.from(salt, 'base64url'))
    .update(`claim\n${JSON.stringify(value)}`)
    .digest('base64url');
}

function hideValues(
  tenant: Salted,
  request: ReadonlyMap<ClaimName, ClaimRequest>,
): ReadonlyMap<ClaimName, ClaimRequest> {
  return new Map(
    [...request].map(([name, { values, ...rest }]) => [
      name,
      values === undefined ? rest : { ...rest, valueHashes: values.map((value) => hashValue(tenant, value)) },
    ]),
  );
}

/** Returns a claims request as JSON to be stored, with hashes in place of values. Returns undefined if the request is empty. */
export function storedClaims(tenant: Salted, request: ClaimsRequest): string | undefined {
  return writeClaimsRequest({
    idToken: hideValues(tenant, request.idToken),
    accessToken: hideValues(tenant, request.accessToken),
    userInfo: hideValues(tenant, request.userInfo),
  });
}

type WrittenPart = Readonly<Partial<Record<ClaimName, ClaimRequest>>>;
interface StoredRequest {
  readonly id_token: WrittenPart;
  readonly access_token: WrittenPart;
  readonly userinfo?: WrittenPart;
}

export function readStoredClaims(stored: string | undefined): ClaimsRequest {
  if (stored === undefined) return readClaimsRequest(undefined);
  const { id_token, access_token, userinfo = {} } = JSON.parse(stored) as StoredRequest;
  const requests = (written: object) => new Map(Object.entries(written) as [ClaimName, ClaimRequest][]);
  return { idToken: requests(id_token), accessToken: requests(access_token), userInfo: requests(userinfo) };
}

/** Returns true if a claim has one of the requested values, or if no values are requested (OIDC Core §5.5.1). */
export function isRequested(tenant: Salted, request: ClaimRequest | undefined, value: unknown): boolean {
  const { values, valueHashes } = request ?? {};
  if (valueHashes) return valueHashes.includes(hashValue(tenant, value));
  return values === undefined || values.some((one) => JSON.stringify(one) === JSON.stringify(value));
}
