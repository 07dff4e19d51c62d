import { invalidInput, ServiceError } from '../../errors/service-error.ts';
import type { ApprovalData } from '../../ports/signing.ts';
import { type ClaimsRequest, readClaimsRequest, writeClaimsRequest } from '../claims/claims-request.ts';
import { isJsonObject, readApprovalClaim } from '../credentials/approval-data.ts';

/** Parsed `claims` parameter of an authorization request (OIDC Core §5.5). */
export interface ClaimsParameter {
  /** Claims request in its normalised form, as JSON. */
  readonly claims?: string | undefined;
  /** Data of the action that the user approves with the login. */
  readonly approvalData?: ApprovalData | undefined;
  /** True if the login fails without a second factor, because the request marks the `acr` value `mfa` as essential. */
  readonly essentialMfa?: boolean;
}

function parse(text: string): Readonly<Record<string, unknown>> {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    throw invalidInput('claims: must be JSON');
  }
  if (!isJsonObject(parsed)) throw invalidInput('claims: must be an object');
  return parsed;
}

function member(
  parsed: Readonly<Record<string, unknown>>,
  name: 'id_token' | 'access_token' | 'userinfo',
): Readonly<Record<string, unknown>> | undefined {
  const given = parsed[name] ?? undefined;
  if (given !== undefined && !isJsonObject(given)) throw invalidInput(`claims: ${name} must be an object`);
  return given;
}

/** Returns true if an essential `acr` requires a second factor (OIDC Core §5.5.1.1). Only the value `mfa` is supported. */
function needsMfa({ idToken }: ClaimsRequest): boolean {
  const acr = idToken.get('acr');
  if (!acr?.essential || acr.values === undefined) return false;
  if (!acr.values.includes('mfa'))
    throw new ServiceError('access_denied', { message: 'claims: none of the values of acr can be met' });
  return true;
}

/** Parses the `claims` parameter of an authorization request. Errors: `system_invalid_input`, `access_denied`. */
export function readClaimsParameter(value: string | undefined): ClaimsParameter {
  if (value === undefined) return {};
  const parsed = parse(value);
  const idToken = member(parsed, 'id_token');
  const request = readClaimsRequest({
    id_token: idToken,
    access_token: member(parsed, 'access_token'),
    userinfo: member(parsed, 'userinfo'),
  });
  return {
    claims: writeClaimsRequest(request),
    approvalData: readApprovalClaim(idToken),
    essentialMfa: needsMfa(request),
  };
}
