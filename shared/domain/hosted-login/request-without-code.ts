import type { AuthorizationRequest } from '../oauth/authorization-request.ts';

/**
 * Builds the authorization request of a hosted login that issues no code. The login ends with a new passkey or on one of our
 * own pages.
 */
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
