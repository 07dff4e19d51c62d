import { EDGE_HEADERS } from '../../../shared/domain/basis/edge.ts';

/**
 * The statuses of answers that carry a challenge (RFC 9110 §11.6.1, RFC 6750 §3).
 *
 * API Gateway and function URLs rename `WWW-Authenticate` of a function's answer to `x-amzn-remapped-www-authenticate`. The
 * edge cannot undo that: CloudFront runs no function of a viewer's response when the origin answered 400 or more. But the
 * HTTP API itself can, when it maps the parameters of an answer, a step after the renaming; not from the renamed header,
 * since `x-amzn-*` is reserved, but from one of ours, which the edge takes away (`lib/stacks/edge/security-headers.ts`). Function
 * URLs cannot, so no operation behind one demands a token.
 */
export const CHALLENGED_STATUSES = [401, 403] as const;

/** `ResponseParameters` of an integration of an HTTP API: puts the challenge back under its name. */
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
