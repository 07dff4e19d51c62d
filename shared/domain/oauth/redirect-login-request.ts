import type { Application, Client } from '../../ports/directory.ts';
import { omitUndefined } from '../basis/omit-undefined.ts';
import { readClaimsParameter } from './authorization-claims.ts';
import {
  type AuthorizationParameters,
  type AuthorizationRequest,
  readFlag,
  readMaxAge,
  readParameter,
  readPrompts,
  readRedirectUri,
  requirePushed,
  requirePushedApproval,
  splitWords,
} from './authorization-request.ts';
import { readCodeChallenge } from './pkce.ts';

// Redirect operations (SPEC B), which accept fewer parameters than the authorization endpoint.

/**
 * Validates the redirect login of a known client. `create_new_user` has no effect unless the application allows public sign-up.
 * Errors: `redirect_uri_not_allowed`, which is shown to the user directly; `system_invalid_input`, `access_denied`.
 *
 * @param scope Scope of the tokens, which SPEC B prescribes
 */
export function readRedirectLogin(
  parameters: AuthorizationParameters,
  { client, application }: { readonly client: Client; readonly application: Application },
  scope: string,
): AuthorizationRequest {
  const redirectUri = readRedirectUri(application, parameters);
  requirePushed(client, undefined);
  const { claims, approvalData, essentialMfa } = readClaimsParameter(readParameter(parameters.claims));
  requirePushedApproval(parameters, approvalData);
  return omitUndefined<AuthorizationRequest>({
    origin: 'browser',
    clientId: client.clientId,
    redirectUri,
    responseMode: 'query',
    state: parameters.state,
    nonce: parameters.nonce,
    scope,
    offlineAccess: true,
    prompts: readPrompts(readParameter(parameters.prompt)),
    maxAge: readMaxAge(readParameter(parameters.max_age)),
    resources: [readParameter(parameters.resource) ?? []].flat(),
    claims,
    requireMfa: readFlag(parameters, 'require_mfa', false) || essentialMfa === true,
    requirePhone: splitWords(readParameter(parameters.verifications)).includes('phone'),
    createNewUser: readFlag(parameters, 'create_new_user', true),
    loginHint: readParameter(parameters.login_hint),
    customMessage: readParameter(parameters.custom_message),
    uiLocales: readParameter(parameters.ui_locales),
    organizationId: readParameter(parameters.org_id),
    codeChallenge: readCodeChallenge(
      parameters.code_challenge,
      parameters.code_challenge_method,
      client.authMethod === 'none' || client.requirePkce === true,
    ),
  });
}
