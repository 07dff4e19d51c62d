/** What this issuer offers (OpenID Connect Discovery 1.0 §3, RFC 8414 §2): exactly what works, nothing announced. */
export function metadata({ issuer }: { readonly issuer: string }) {
  return {
    issuer,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/jwks`,
    grant_types_supported: ['client_credentials'],
    response_types_supported: [],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
    token_endpoint_auth_methods_supported: ['client_secret_post', 'client_secret_basic'],
    claims_supported: [
      'iss',
      'sub',
      'aud',
      'iat',
      'exp',
      'auth_time',
      'amr',
      'acr',
      'tid',
      'email',
      'email_verified',
      'groups',
      'new_user',
      'org_id',
      'approval_data',
    ],
    claims_parameter_supported: true,
  };
}
