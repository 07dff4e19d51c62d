import { createHmac } from 'node:crypto';
import type { Tenant } from '../../ports/directory.ts';
import {
  type ClaimName,
  type ClaimRequest,
  type ClaimsRequest,
  readClaimsRequest,
  writeClaimsRequest,
} from './claims-request.ts';

/**
 * Claims requests of codes and refresh families, for the tokens issued later. A requested value may be a user's address,
 * which none of these records may hold: an HMAC under the tenant's salt replaces each value.
 */

type Salted = Pick<Tenant, 'salt'>;

function hashOf({ salt }: Salted, value: unknown): string {
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
      values === undefined ? rest : { ...rest, valueHashes: values.map((value) => hashOf(tenant, value)) },
    ]),
  );
}

/** The stored form of a claims request; undefined when it asks for nothing. */
export function storedClaims(tenant: Salted, request: ClaimsRequest): string | undefined {
  return writeClaimsRequest({
    idToken: hideValues(tenant, request.idToken),
    accessToken: hideValues(tenant, request.accessToken),
    userInfo: hideValues(tenant, request.userInfo),
  });
}

type WrittenPart = Readonly<Partial<Record<ClaimName, ClaimRequest>>>;
interface Written {
  readonly id_token: WrittenPart;
  readonly access_token: WrittenPart;
  readonly userinfo?: WrittenPart;
}

/** Reads the stored form. */
export function readStoredClaims(stored: string | undefined): ClaimsRequest {
  if (stored === undefined) return readClaimsRequest(undefined);
  const { id_token, access_token, userinfo = {} } = JSON.parse(stored) as Written;
  const requests = (written: object) => new Map(Object.entries(written) as [ClaimName, ClaimRequest][]);
  return { idToken: requests(id_token), accessToken: requests(access_token), userInfo: requests(userinfo) };
}

/** Whether a claim has one of the requested values, if there are any (OIDC Core §5.5.1). */
export function isWanted(tenant: Salted, request: ClaimRequest | undefined, value: unknown): boolean {
  const { values, valueHashes } = request ?? {};
  if (valueHashes) return valueHashes.includes(hashOf(tenant, value));
  return values === undefined || values.some((one) => JSON.stringify(one) === JSON.stringify(value));
}
