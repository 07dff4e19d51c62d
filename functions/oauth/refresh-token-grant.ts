import { refreshTokens } from '../../shared/flows/login/refresh.ts';
import { idTokenFor } from '../../shared/tokens/issue.ts';
import { requireApplicationClient } from '../../shared/tokens/oauth-caller.ts';
import { type Grant, requireField } from './grant.ts';

/** Grant type `refresh_token` (RFC 6749 §6): issues new tokens, including a new refresh token that replaces the given one. */
export const refreshToken: Grant = async ({ caller, form, proof, request, settings, audit }, ports) => {
  const refreshed = await refreshTokens(
    ports,
    requireApplicationClient(caller),
    {
      now: request.now,
      refreshToken: requireField(form, 'refresh_token'),
      scope: form.scope,
      resource: form.resource,
      proof,
    },
    settings,
  );
  const { tokens, userId, sessionId, events } = refreshed;
  audit({ userId, sessionId, events });
  return {
    access_token: tokens.accessToken,
    token_type: tokens.tokenType,
    expires_in: tokens.expiresIn,
    scope: refreshed.scope,
    id_token: idTokenFor(refreshed.scope, tokens),
    refresh_token: refreshed.refreshToken,
    session_id: sessionId,
  };
};
