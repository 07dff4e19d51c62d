import { refreshTokens } from '../../shared/flows/login/refresh.ts';
import type { UseCase } from '../../shared/operation.ts';
import { verifyTokenRequestProof } from '../../shared/tokens/dpop.ts';
import type * as rows from './rows.ts';

/** Issues tokens for a refresh token, like the token endpoint, but to a client that authenticates with an access token. */
export const refresh: UseCase<typeof rows.refresh> = async (
  { json, caller, request, settings, audit },
  ports,
) => {
  const { now } = request;
  const proof = await verifyTokenRequestProof(ports, caller.client, { request, settings, now });
  const proofSpent = /^dpop /i.test(request.headers.authorization ?? '');
  const { tokens, refreshToken, userId, sessionId, events } = await refreshTokens(
    ports,
    { ...caller, confirm: () => ports.clients.find(caller.client.clientId, { fresh: true }) },
    { now, refreshToken: json.refresh_token, scope: undefined, resource: undefined, proof, proofSpent },
    settings,
  );
  audit({ userId, sessionId, events });
  return {
    json: {
      access_token: tokens.accessToken,
      id_token: tokens.idToken,
      refresh_token: refreshToken,
      token_type: tokens.tokenType,
      expires_in: tokens.expiresIn,
    },
  };
};
