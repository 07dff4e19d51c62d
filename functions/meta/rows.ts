import { PUBLIC_CACHE_SECONDS, SECONDS_PER_MINUTE } from '../../shared/domain/basis/limits.ts';
import type { OperationRow } from '../../shared/operation.ts';
import { HealthResponse, OpenApiDocument } from '../../shared/schemas/meta.ts';

const meta = {
  method: 'GET',
  file: 'meta/meta',
  reach: 'api',
  auth: 'none',
  cors: 'none',
  input: {},
  dialect: 'numeric',
  errors: [],
  uses: [],
} as const;

export const health = {
  ...meta,
  section: 'health',
  path: '/health',
  summary: 'Reports that the service responds, without a call to AWS',
  description:
    'Intended for monitors: it fails only if no function runs. It says nothing about the health of AWS services.',
  output: { status: 200, json: HealthResponse },
} as const satisfies OperationRow;

export const openapi = {
  ...meta,
  section: 'openapi',
  path: '/openapi.json',
  summary: 'Returns this API as an OpenAPI 3.1 document',
  description: `The document is generated from the same table as the routes, so it lists exactly the operations that the service has. It may be cached for ${PUBLIC_CACHE_SECONDS / SECONDS_PER_MINUTE} minutes.`,
  cors: 'any',
  output: { status: 200, json: OpenApiDocument, public: true },
  uses: ['apiDocument'],
} as const satisfies OperationRow;

export const fallback = {
  ...meta,
  section: 'fallback',
  path: '$default',
  file: 'fallback',
  summary: 'Handles unknown paths and methods',
  output: { status: 204 },
  errors: ['not_found', 'method_not_allowed'],
  errorPage: 'request',
} as const satisfies OperationRow;
