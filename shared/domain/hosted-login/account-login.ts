import { type Given, omitUndefined } from '../basis/omit-undefined.ts';
import { withParameters } from '../basis/redirect-uri.ts';
import type { AccountNeeds, AuthorizationRequest } from '../oauth/authorization-request.ts';
import { isDocumentId } from '../oauth/client-document.ts';
import { type BindingLogin, lackForTenant } from '../trust/binding.ts';
import { countsInTenant } from '../trust/kinds.ts';
import { freshProofs, type Lack } from '../trust/lack.ts';
import { requestWithoutCode } from './request-without-code.ts';

/** Logins on the way to the account page. */

/**
 * What a login lacks for the account page; undefined when it suffices. A client of one application must neither see nor change
 * what the person has at others: what it can prove counts for nothing.
 */
export function lackForAccount(login: BindingLogin, needs: AccountNeeds['login']): Lack | undefined {
  const counted = { ...login, proofs: login.proofs.filter(countsInTenant) };
  if (counted.proofs.length === 0) return 'login';
  if (needs === 'session') return undefined;
  const { application, proofs, at } = counted;
  if (freshProofs(application, proofs, at).length === 0) return 'login';
  return needs === 'fresh' ? undefined : lackForTenant(counted);
}

/** How the pages of an account are asked for: by a client, and its application where no record names it. */
export interface AccountPlace {
  readonly client_id: string;
  readonly app_id?: string | undefined;
}

export const accountPlace = ({
  clientId,
  applicationId,
}: {
  readonly clientId: string;
  readonly applicationId?: string | undefined;
}): AccountPlace =>
  isDocumentId(clientId) ? { client_id: clientId, app_id: applicationId } : { client_id: clientId };

/** Where a client of the tenant leads people to their account. */
export const accountPageUrl = (
  browserOrigin: string,
  place: AccountPlace,
  parameters: Readonly<Record<string, string | undefined>> = {},
): string => withParameters(`${browserOrigin}/account`, { ...place, ...parameters });

/** The request of a hosted login that leads to the account page, of nobody but the expected user. */
export function accountRequest(
  clientId: string,
  redirectUri: string,
  asked: Given<Pick<AuthorizationRequest, 'account' | 'expectedUserId' | 'uiLocales'>>,
): AuthorizationRequest {
  return omitUndefined<AuthorizationRequest>({ ...requestWithoutCode(clientId, redirectUri), ...asked });
}
