import { authenticateClient } from '../../shared/domain/oauth/client-authentication.ts';
import { recordSecretUse } from '../../shared/domain/oauth/secret-use.ts';
import { runCounted } from '../../shared/domain/rate-limits/call-window.ts';
import { mayReadAgain } from '../../shared/domain/rate-limits/failed-client.ts';
import { exchangeCode, toAuditContext } from '../../shared/flows/login/exchange-code.ts';
import type { UseCase } from '../../shared/operation.ts';
import { verifyTokenRequestProof } from '../../shared/tokens/dpop.ts';
import { addDirectoryRecords, requireApplicationClient } from '../../shared/tokens/oauth-caller.ts';
import type * as rows from './rows.ts';

/** Exchanges a code for tokens in JSON (SPEC C). If a sign-up is pending, the exchange creates the user. */
export const retrieveTokens: UseCase<typeof rows.retrieveTokens> = async (
  { json, request, settings, audit },
  ports,
) => {
  const { client_id: clientId, client_secret: clientSecret } = json;
  const credentials = { clientId, clientSecret };
  const authenticated = await authenticateClient(ports, credentials, (known) => mayReadAgain(known, request));
  const { client } = authenticated;
  audit({ clientId, tenantId: client.tenantId });
  audit(recordSecretUse(authenticated.proof.secretId, request.now));
  const caller = requireApplicationClient(await addDirectoryRecords(ports, authenticated));
  audit({ applicationId: caller.application.applicationId });
  return runCounted(ports, caller, { request, settings }, async (confirmed) => {
    const proof = await verifyTokenRequestProof(ports, client, { request, settings, now: request.now });
    const exchanged = await exchangeCode(
      ports,
      confirmed,
      {
        now: request.now,
        code: json.code,
        clientId,
        codeVerifier: json.code_verifier,
        redirectUri: json.redirect_uri,
        needsRedirectUri: client.boundCodes ? 'without PKCE' : 'without PKCE or proof of the client',
        resource: undefined,
        proof,
      },
      settings,
    );
    audit(toAuditContext(exchanged));
    const { session, tokens, refreshToken, userCreated, artifacts } = exchanged;
    return {
      json: {
        id_token: tokens.idToken,
        access_token: tokens.accessToken,
        refresh_token: refreshToken,
        is_user_created: userCreated,
        token_type: tokens.tokenType,
        expires_in: tokens.expiresIn,
        session_id: session.sessionId,
        signing_artifacts: artifacts,
      },
    };
  });
};
