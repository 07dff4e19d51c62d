import { EDGE_HEADERS } from '../../../shared/domain/basis/edge.ts';

/**
 * The statuses of answers that carry a challenge (RFC 9110 §11.6.1, RFC 6750 §3).
 *
 * API Gateway and function URLs rename `WWW-Authenticate` of a function's answer to `x-amzn-remapped-www-authenticate`. The
 * edge cannot undo that: CloudFront runs no response function when the origin answers 400 or more. The HTTP API can: it maps
 * the parameters of an answer after the renaming. It cannot map the renamed header, since `x-amzn-*` is reserved, so it maps
 * a header of ours, which the edge removes (`lib/stacks/edge/security-headers.ts`). Function URLs cannot, so no operation
 * behind one demands a token.
 */
export const CHALLENGED_STATUSES = [401, 403] as const;

/** `ResponseParameters` of an integration of the HTTP API: restores the challenge under its name. */
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
