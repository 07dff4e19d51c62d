import { exchangeCode, toAuditContext } from '../../shared/flows/login/exchange-code.ts';
import { idTokenFor } from '../../shared/tokens/issue.ts';
import { requireApplicationClient } from '../../shared/tokens/oauth-caller.ts';
import { type Grant, requireField } from './grant.ts';

/** Grant type `authorization_code`: issues tokens for an authorization code (RFC 6749 §4.1.3, RFC 7636 §4.5). */
export const authorizationCode: Grant = async ({ caller, form, proof, request, settings, audit }, ports) => {
  const owner = requireApplicationClient(caller);
  const exchanged = await exchangeCode(
    ports,
    owner,
    {
      now: request.now,
      code: requireField(form, 'code'),
      clientId: owner.client.clientId,
      codeVerifier: form.code_verifier,
      redirectUri: form.redirect_uri,
      needsRedirectUri: 'always',
      resource: form.resource,
      proof,
    },
    settings,
  );
  audit(toAuditContext(exchanged));
  const { session, tokens, refreshToken, code, artifacts } = exchanged;
  return {
    access_token: tokens.accessToken,
    token_type: tokens.tokenType,
    expires_in: tokens.expiresIn,
    scope: code.scope,
    id_token: idTokenFor(code.scope, tokens),
    refresh_token: refreshToken,
    session_id: session.sessionId,
    signing_artifacts: artifacts,
  };
};
