import type { AuthorizationRequest } from '../oauth/authorization-request.ts';

/** The request of a hosted login that ends with something else than a code: a passkey, or a page of ours. */
export const requestWithoutCode = (
  clientId: string,
  redirectUri: string,
): Omit<AuthorizationRequest, 'enrolment' | 'account' | 'undo'> => ({
  origin: 'browser',
  clientId,
  redirectUri,
  responseMode: 'query',
  scope: '',
  offlineAccess: false,
  prompts: [],
  resources: [],
  requireMfa: false,
  requirePhone: false,
  createNewUser: false,
});
