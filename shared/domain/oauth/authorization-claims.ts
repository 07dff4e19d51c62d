import { invalidInput, ServiceError } from '../../errors/service-error.ts';
import type { ApprovalData } from '../../ports/signing.ts';
import { type ClaimsRequest, readClaimsRequest, writeClaimsRequest } from '../claims/claims-request.ts';
import { isObject, readApprovalClaim } from '../credentials/approval-data.ts';

/** The `claims` parameter of an authorization request (OIDC Core §5.5). */
export interface ClaimsParameter {
  /** The claims request as JSON. */
  readonly claims?: string | undefined;
  /** What the login approves. */
  readonly approvalData?: ApprovalData | undefined;
  readonly essentialMfa?: boolean;
}

function parse(text: string): Readonly<Record<string, unknown>> {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    throw invalidInput('claims: must be JSON');
  }
  if (!isObject(parsed)) throw invalidInput('claims: must be an object');
  return parsed;
}

function member(
  parsed: Readonly<Record<string, unknown>>,
  name: 'id_token' | 'access_token' | 'userinfo',
): Readonly<Record<string, unknown>> | undefined {
  const given = parsed[name] ?? undefined;
  if (given !== undefined && !isObject(given)) throw invalidInput(`claims: ${name} must be an object`);
  return given;
}

/** An essential `acr` must be met, or the login fails (OIDC Core §5.5.1.1). Only `mfa` exists. */
function needsMfa({ idToken }: ClaimsRequest): boolean {
  const acr = idToken.get('acr');
  if (!acr?.essential || acr.values === undefined) return false;
  if (!acr.values.includes('mfa'))
    throw new ServiceError('access_denied', { message: 'claims: none of the values of acr can be met' });
  return true;
}

/** Errors: `system_invalid_input`, `access_denied`. */
export function readClaimsParameter(value: string | undefined): ClaimsParameter {
  if (value === undefined) return {};
  const parsed = parse(value);
  const id_token = member(parsed, 'id_token');
  const request = readClaimsRequest({
    id_token,
    access_token: member(parsed, 'access_token'),
    userinfo: member(parsed, 'userinfo'),
  });
  return {
    claims: writeClaimsRequest(request),
    approvalData: readApprovalClaim(id_token),
    essentialMfa: needsMfa(request),
  };
}
