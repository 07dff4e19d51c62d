import { hasArea } from '../../shared/domain/basis/areas.ts';
import { CALLER_ALGORITHMS, listEnabledAlgorithms } from '../../shared/domain/basis/key-algorithms.ts';
import { CLAIM_NAMES } from '../../shared/domain/claims/claims-request.ts';
import { SCOPES } from '../../shared/domain/claims/scope-claims.ts';
import { PROVIDERS } from '../../shared/domain/social/provider.ts';
import type { Settings, UseCase } from '../../shared/operation.ts';
import { LANGUAGES } from '../../shared/records/languages.ts';
import { publicKeySet } from '../../shared/tokens/verify.ts';
import type * as rows from './rows.ts';

const CLIENT_AUTHENTICATION = ['client_secret_basic', 'client_secret_post', 'private_key_jwt'];

/** Returns the metadata of the authorization endpoint, which is deployed only together with the hosted login pages. */
const authorizationMetadata = (settings: Settings) => ({
  authorization_endpoint: `${settings.issuer}/auth`,
  // Not `/request`, because clients of RFC 9126 do not accept its status 200 as success (§2.2).
  pushed_authorization_request_endpoint: `${settings.issuer}/par`,
  response_modes_supported: ['query', 'form_post'],
  code_challenge_methods_supported: ['S256'],
  prompt_values_supported: ['none', 'login', 'consent', 'select_account', 'create'],
  acr_values_supported: [
    'mfa',
    'phone_number',
    `urn:${settings.vendor}:centralized`,
    ...(hasArea(settings, 'social')
      ? PROVIDERS.map((provider) => `urn:${settings.vendor}:${provider}_direct`)
      : []),
  ],
  ui_locales_supported: LANGUAGES,
  // draft-ietf-oauth-client-id-metadata-document-02 §6.
  client_id_metadata_document_supported: hasArea(settings, 'agents'),
  authorization_response_iss_parameter_supported: true,
  require_pushed_authorization_requests: false,
  request_parameter_supported: false,
  // Only references to pushed requests are supported; an absent member would mean true.
  request_uri_parameter_supported: false,
});

/** Returns the issuer's metadata (OpenID Connect Discovery 1.0 §3, RFC 8414 §2). */
function metadata(settings: Settings) {
  const { issuer, es256 } = settings;
  const isHosted = hasArea(settings, 'hosted-login');
  return {
    issuer,
    ...(isHosted && authorizationMetadata(settings)),
    token_endpoint: `${issuer}/token`,
    userinfo_endpoint: `${issuer}/me`,
    revocation_endpoint: `${issuer}/token/revocation`,
    introspection_endpoint: `${issuer}/token/introspection`,
    end_session_endpoint: `${issuer}/session/end`,
    jwks_uri: `${issuer}/jwks`,

    scopes_supported: SCOPES,
    response_types_supported: isHosted ? ['code'] : [],
    grant_types_supported: [
      ...(isHosted ? ['authorization_code'] : []),
      'refresh_token',
      'client_credentials',
      ...(hasArea(settings, 'moving') ? ['urn:ietf:params:oauth:grant-type:token-exchange'] : []),
    ],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: [...listEnabledAlgorithms({ es256 })],

    token_endpoint_auth_methods_supported: [...CLIENT_AUTHENTICATION, 'none'],
    token_endpoint_auth_signing_alg_values_supported: CALLER_ALGORITHMS,
    revocation_endpoint_auth_methods_supported: [...CLIENT_AUTHENTICATION, 'none'],
    revocation_endpoint_auth_signing_alg_values_supported: CALLER_ALGORITHMS,
    introspection_endpoint_auth_methods_supported: CLIENT_AUTHENTICATION,
    introspection_endpoint_auth_signing_alg_values_supported: CALLER_ALGORITHMS,
    dpop_signing_alg_values_supported: CALLER_ALGORITHMS,

    backchannel_logout_supported: true,
    backchannel_logout_session_supported: true,
    claims_parameter_supported: true,
    claims_supported: ['iss', 'sub', 'aud', 'iat', 'exp', 'nonce', 'amr', ...CLAIM_NAMES],
  };
}

/** Returns the metadata of the issuer. The response is the same on every path and host (SPEC F). */
export const discovery: UseCase<typeof rows.discovery> = async ({ settings }) => ({
  json: metadata(settings),
});

/** Returns the public keys in all states, so that verifiers know the next key before it signs (RFC 7517 §5, SPEC F). */
export const jwks: UseCase<typeof rows.jwks> = async (_input, { signingKeys }) => ({
  json: publicKeySet(await signingKeys.list()),
});
