import * as v from 'valibot';
import { describe, described } from './fields/described.ts';

export const HealthResponse = v.object({
  healthy: described(v.boolean(), describe('True whenever the service answers.', true)),
  version: described(v.string(), describe('Version of the running service.', '0.1.0')),
});

export const JwksResponse = v.object({
  keys: described(
    v.array(v.record(v.string(), v.unknown())),
    describe(
      'Public keys that verify tokens (RFC 7517). The next key is published before it signs. `kid` is the RFC 7638 thumbprint. RSA keys are listed twice, the second time for PS256.',
      [
        {
          kty: 'RSA',
          use: 'sig',
          alg: 'RS256',
          kid: 'NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs',
          n: '0vx7ago…',
          e: 'AQAB',
        },
      ],
    ),
  ),
});

const texts = (words: ReturnType<typeof describe>) => described(v.array(v.string()), words);

/** Metadata of the issuer (OpenID Connect Discovery 1.0 §3, RFC 8414 §2). */
export const MetadataResponse = v.looseObject({
  issuer: described(
    v.string(),
    describe(
      'Issuer of all tokens (`iss`), compared character by character.',
      'https://login.example.com/cis/oidc',
    ),
  ),
  token_endpoint: described(
    v.string(),
    describe('Token endpoint URL.', 'https://login.example.com/cis/oidc/token'),
  ),
  jwks_uri: described(
    v.string(),
    describe('URL of the public keys.', 'https://login.example.com/cis/oidc/jwks'),
  ),
  response_types_supported: texts(describe('Supported values of `response_type`.', ['code'])),
  subject_types_supported: texts(describe('Type of `sub`: the same for all clients.', ['public'])),
  id_token_signing_alg_values_supported: texts(
    describe('Signing algorithms of tokens. Each client chooses one.', ['RS256', 'PS256']),
  ),
});

export const OpenApiDocument = v.looseObject({
  openapi: described(v.string(), describe('OpenAPI version of the document.', '3.1.0')),
});
