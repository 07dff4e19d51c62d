// Hosted logins that lead to the account page.
import { omitUndefined, type WithUndefined } from '../basis/omit-undefined.ts';
import { addParameters } from '../basis/redirect-uri.ts';
import type { AccountNeeds, AuthorizationRequest } from '../oauth/authorization-request.ts';
import { isDocumentId } from '../oauth/client-document.ts';
import { type BindingLogin, findMissingTenantProof } from '../trust/binding.ts';
import { isValidTenantWide } from '../trust/factor-types.ts';
import { freshProofs, type MissingProof } from '../trust/missing-proof.ts';
import { requestWithoutCode } from './request-without-code.ts';

/**
 * Returns the proof that a login lacks for opening the account page, or undefined if the login suffices. Only tenant-wide
 * proofs count: a client of one application must neither see nor change the user's data at other applications.
 */
export function findMissingAccountProof(
  login: BindingLogin,
  needs: AccountNeeds['login'],
): MissingProof | undefined {
  const counted = { ...login, proofs: login.proofs.filter(isValidTenantWide) };
  if (counted.proofs.length === 0) return 'login';
  if (needs === 'session') return undefined;
  const { application, proofs, at } = counted;
  if (freshProofs(application, proofs, at).length === 0) return 'login';
  return needs === 'fresh' ? undefined : findMissingTenantProof(counted);
}

/** Parameters that open the account page: the client and, for a client with a metadata document, its application. */
export interface AccountPageParameters {
  readonly client_id: string;
  readonly app_id?: string | undefined;
}

export const toAccountParameters = ({
  clientId,
  applicationId,
}: {
  readonly clientId: string;
  readonly applicationId?: string | undefined;
}): AccountPageParameters =>
  isDocumentId(clientId) ? { client_id: clientId, app_id: applicationId } : { client_id: clientId };

/** Returns the URL of the account page, to which clients of the tenant send their users. */
export const accountPageUrl = (
  browserOrigin: string,
  place: AccountPageParameters,
  parameters: Readonly<Record<string, string | undefined>> = {},
): string => addParameters(`${browserOrigin}/account`, { ...place, ...parameters });

/** Creates the request of a hosted login that leads to the account page and accepts only the expected user. */
export function accountRequest(
  clientId: string,
  redirectUri: string,
  asked: WithUndefined<Pick<AuthorizationRequest, 'account' | 'expectedUserId' | 'uiLocales'>>,
): AuthorizationRequest {
  return omitUndefined<AuthorizationRequest>({ ...requestWithoutCode(clientId, redirectUri), ...asked });
}
