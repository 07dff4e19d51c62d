import { EDGE_HEADERS } from '../../../shared/domain/basis/edge.ts';

/**
 * HTTP statuses of responses that carry a challenge (RFC 9110 §11.6.1, RFC 6750 §3). Both gateways rename a function's
 * `WWW-Authenticate` header to `x-amzn-remapped-www-authenticate`. CloudFront cannot undo that, because it runs no response
 * function for statuses from 400 on. The HTTP API can, because it maps response parameters after the renaming. It cannot map
 * the renamed header, since `x-amzn-*` is reserved. It therefore maps our own header, which CloudFront removes
 * (`lib/stacks/edge/security-headers.ts`). Function URLs cannot map headers, so no operation behind one requires a token.
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
