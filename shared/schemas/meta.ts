import * as v from 'valibot';

export const HealthResponse = v.object({ healthy: v.boolean(), version: v.string() });

export const JwksResponse = v.object({ keys: v.array(v.record(v.string(), v.unknown())) });

/** OpenID Connect Discovery 1.0 §3, RFC 8414 §2. */
export const MetadataResponse = v.looseObject({
  issuer: v.string(),
  token_endpoint: v.string(),
  jwks_uri: v.string(),
  response_types_supported: v.array(v.string()),
  subject_types_supported: v.array(v.string()),
  id_token_signing_alg_values_supported: v.array(v.string()),
});

export const OpenApiDocument = v.looseObject({ openapi: v.string() });
