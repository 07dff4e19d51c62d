import { invalidInput } from '../../errors/service-error.ts';
import type { Application, Client } from '../../ports/directory.ts';
import { omitUndefined } from '../basis/omit-undefined.ts';
import { readClaimsParameter } from './authorization-claims.ts';
import {
  type AuthorizationParameters,
  type AuthorizationRequest,
  given,
  readRedirectUri,
  requireProvenClient,
  words,
} from './authorization-request.ts';
import { readCodeChallenge } from './pkce.ts';

/** Section B: the redirect operations, whose parameters are fewer than those of the authorization endpoint. */

function readFlag(
  parameters: AuthorizationParameters,
  name: 'create_new_user' | 'require_mfa',
  otherwise: boolean,
): boolean {
  const value = given(parameters[name]);
  if (value === undefined) return otherwise;
  if (value !== 'true' && value !== 'false') throw invalidInput(`${name}: must be true or false`);
  return value === 'true';
}

/**
 * Reads a request whose client is known; `scope` is what tokens of section B have. While public signup is off nobody new
 * logs in, whatever `create_new_user` says.
 * Errors: `redirect_uri_not_allowed`, which is told directly; `system_invalid_input`, `access_denied`.
 */
export function readRedirectLogin(
  parameters: AuthorizationParameters,
  { client, application }: { readonly client: Client; readonly application: Application },
  scope: string,
): AuthorizationRequest {
  const redirectUri = readRedirectUri(application, parameters);
  if (client.requirePushedRequests) throw invalidInput('request_uri: is required for this client');
  const { claims, approvalData, essentialMfa } = readClaimsParameter(given(parameters.claims));
  requireProvenClient(parameters, approvalData);
  return omitUndefined<AuthorizationRequest>({
    origin: 'browser',
    clientId: client.clientId,
    redirectUri,
    responseMode: 'query',
    state: parameters.state,
    nonce: parameters.nonce,
    scope,
    offlineAccess: true,
    prompts: [],
    resources: [given(parameters.resource) ?? []].flat(),
    claims,
    requireMfa: readFlag(parameters, 'require_mfa', false) || essentialMfa === true,
    requirePhone: words(given(parameters.verifications)).includes('phone'),
    createNewUser: readFlag(parameters, 'create_new_user', true),
    loginHint: given(parameters.login_hint),
    customMessage: given(parameters.custom_message),
    uiLocales: given(parameters.ui_locales),
    organizationId: given(parameters.org_id),
    codeChallenge: readCodeChallenge(
      parameters.code_challenge,
      parameters.code_challenge_method,
      client.authMethod === 'none' || client.requirePkce === true,
    ),
  });
}
