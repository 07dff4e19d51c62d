import * as v from 'valibot';
import { described, doc } from './fields/described.ts';

export const HealthResponse = v.object({
  healthy: described(v.boolean(), doc('True whenever the service answers.', true)),
  version: described(v.string(), doc('Version of the service that runs.', '0.1.0')),
});

export const JwksResponse = v.object({
  keys: described(
    v.array(v.record(v.string(), v.unknown())),
    doc(
      'Public keys that verify tokens (RFC 7517), the next one before it signs. `kid` is the thumbprint of RFC 7638; the same key stands there once more for PS256.',
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

const texts = (words: ReturnType<typeof doc>) => described(v.array(v.string()), words);

/** OpenID Connect Discovery 1.0 §3, RFC 8414 §2. */
export const MetadataResponse = v.looseObject({
  issuer: described(
    v.string(),
    doc(
      'Issuer of all tokens (`iss`), compared character by character.',
      'https://login.example.com/cis/oidc',
    ),
  ),
  token_endpoint: described(
    v.string(),
    doc('Where tokens are asked for.', 'https://login.example.com/cis/oidc/token'),
  ),
  jwks_uri: described(
    v.string(),
    doc('Where the public keys of the issuer are.', 'https://login.example.com/cis/oidc/jwks'),
  ),
  response_types_supported: texts(doc('Values of `response_type` that work.', ['code'])),
  subject_types_supported: texts(doc('How `sub` is made: the same for all clients.', ['public'])),
  id_token_signing_alg_values_supported: texts(
    doc('Algorithms that sign tokens, as each client chooses.', ['RS256', 'PS256']),
  ),
});

export const OpenApiDocument = v.looseObject({
  openapi: described(v.string(), doc('Version of OpenAPI that the document follows.', '3.1.0')),
});
