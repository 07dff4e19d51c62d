import { readAuthorizationCode } from '../../shared/domain/oauth/authorization-code.ts';
import { buildCodeFacts, type CodeFacts } from '../../shared/domain/oauth/code-facts.ts';
import type { CodeBasedRequest } from '../../shared/domain/sending/code-based-login.ts';
import { createVouchedProof } from '../../shared/domain/trust/proofs.ts';
import { readSentProof } from '../../shared/flows/login/sent-login.ts';
import type { AuditContext, ClientCaller } from '../../shared/operation.ts';
import type { AuthorizationCode } from '../../shared/ports/authorization.ts';
import type { Application } from '../../shared/ports/directory.ts';
import type { MethodUse } from '../../shared/ports/flows.ts';
import type { User } from '../../shared/ports/people.ts';
import type { PortsWith } from '../../shared/ports/uses.ts';
import { type AddressType, addressTypes } from '../../shared/records/channels.ts';
import { USER_SCOPE } from '../../shared/tokens/issue.ts';

/**
 * Returns the data that is stored with the authorization code of a login that a backend starts (SPEC C). Such a login always
 * issues a refresh token.
 */
export function codeBasedFacts(
  caller: ClientCaller,
  { resource, ...request }: CodeBasedRequest,
  person: Parameters<typeof buildCodeFacts>[2],
): CodeFacts {
  const resources = resource === undefined ? [] : [resource];
  const granted = { origin: 'code-based', scope: USER_SCOPE, offlineAccess: true, resources } as const;
  return buildCodeFacts(caller, { ...request, ...granted }, person);
}

/**
 * Returns the factor that a code verifies, as it is stored in the session. For a new user, the address counts as proven at
 * once. For an existing user, the strength of the proof is determined when the code is exchanged or becomes a factor in a
 * browser.
 */
export function createCodeProof(
  application: Application,
  kind: 'known' | 'signUp',
  type: AddressType,
  proof: Pick<MethodUse, 'method' | 'at'>,
): MethodUse {
  const vouched = createVouchedProof(application, proof);
  const { attribute: credential } = addressTypes[type];
  return kind === 'signUp' ? { ...vouched, worth: 'proven', credential } : vouched;
}

/** Returns true if the user needs another factor in addition to a code sent to their address. */
export async function requiresSecondFactor(
  ports: PortsWith<'passkeys.listOf'>,
  caller: ClientCaller,
  user: User,
  { deliveredToHash, at }: { readonly deliveredToHash: string | undefined; readonly at: number },
): Promise<boolean> {
  const sent = { method: 'eml', at, deliveredToHash, proofs: [] } as const;
  return (await readSentProof(ports, caller, user, sent)).use.worth === 'quarantined';
}

/**
 * Finds the authorization code in a URL that a browser opens, even if the code has expired. Ignores codes of logins that were
 * not started by a backend (SPEC C).
 */
export async function findCode(
  ports: PortsWith<'codes.find'>,
  code: string,
  audit: (context: AuditContext) => void,
): Promise<AuthorizationCode | undefined> {
  const record = await readAuthorizationCode(ports, code);
  if (record?.origin !== 'code-based') return undefined;
  const { userId, tenantId, applicationId, clientId } = record;
  audit({ userId, tenantId, applicationId, clientId });
  return record;
}
