import { EDGE_HEADERS } from '../../../shared/domain/basis/edge.ts';

/**
 * HTTP statuses of responses that carry a challenge (RFC 9110 §11.6.1, RFC 6750 §3). Both gateways rename a function's
 * `WWW-Authenticate` header to `x-amzn-remapped-www-authenticate`. CloudFront cannot restore it, because it runs no response
 * function for a status of 400 or above. The HTTP API cannot map `x-amzn-*`, so it maps our own copy of the header, which
 * CloudFront removes (`lib/stacks/edge/security-headers.ts`). Function URLs cannot map headers, so no operation behind a
 * function URL requires a token.
 */
export const CHALLENGED_STATUSES = [401, 403] as const;

/** `ResponseParameters` of an HTTP API integration, which restore the `WWW-Authenticate` header. */
export const challengeMapping = Object.fromEntries(
  CHALLENGED_STATUSES.map((status) => [
    String(status),
    {
      ResponseParameters: [
        {
          Source: `$response.header.${EDGE_HEADERS.challenge}`,
          Destination: 'overwrite:header.www-authenticate',
        },
      ],
    },
  ]),
);
