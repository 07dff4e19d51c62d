import { PUBLIC_CACHE_SECONDS, SECONDS_PER_MINUTE } from '../../shared/domain/basis/limits.ts';
import type { OperationRow } from '../../shared/operation.ts';
import { HealthResponse, OpenApiDocument } from '../../shared/schemas/meta.ts';

/** Rows of the table for health and the API document. */

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
  summary: 'Tells that the service answers, without a call to AWS',
  description: 'For monitors: it fails only where no function runs. It says nothing about AWS services.',
  output: { status: 200, json: HealthResponse },
} as const satisfies OperationRow;

export const openapi = {
  ...meta,
  section: 'openapi',
  path: '/openapi.json',
  summary: 'This API as an OpenAPI 3.1 document',
  description: `Made from the same table as the routes, so that it lists what the service answers. It may be cached for ${PUBLIC_CACHE_SECONDS / SECONDS_PER_MINUTE} minutes.`,
  cors: 'any',
  output: { status: 200, json: OpenApiDocument, public: true },
  uses: ['apiDocument'],
} as const satisfies OperationRow;

export const fallback = {
  ...meta,
  section: 'fallback',
  path: '$default',
  file: 'fallback',
  summary: 'Answers unknown paths and methods',
  output: { status: 204 },
  errors: ['not_found', 'method_not_allowed'],
  errorPage: 'request',
} as const satisfies OperationRow;
