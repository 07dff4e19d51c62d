import { PUBLIC_CACHE_SECONDS, SECONDS_PER_MINUTE } from '../../shared/domain/basis/limits.ts';
import type { Operation } from '../../shared/operation.ts';
import { HealthResponse, OpenApiDocument } from '../../shared/schemas/meta.ts';

/** Rows of the table for health and the API document. */

export const health = {
  section: 'health',
  method: 'GET',
  path: '/health',
  event: 'meta/health',
  file: 'meta/meta',
  reach: 'api',
  summary: 'Tells that the service answers, without a call to AWS',
  description: 'For monitors: it fails only where no function runs. It says nothing about AWS services.',
  auth: 'none',
  cors: 'none',
  input: {},
  output: { status: 200, json: HealthResponse },
  dialect: 'numeric',
  errors: [],
  uses: [],
} as const satisfies Operation;

export const openapi = {
  section: 'openapi',
  method: 'GET',
  path: '/openapi.json',
  event: 'meta/openapi',
  file: 'meta/meta',
  reach: 'api',
  summary: 'This API as an OpenAPI 3.1 document',
  description: `Made from the same table as the routes, so that it lists what the service answers. It may be cached for ${PUBLIC_CACHE_SECONDS / SECONDS_PER_MINUTE} minutes.`,
  auth: 'none',
  cors: 'any',
  input: {},
  output: { status: 200, json: OpenApiDocument, public: true },
  dialect: 'numeric',
  errors: [],
  uses: ['apiDocument'],
} as const satisfies Operation;

export const fallback = {
  section: 'fallback',
  method: 'GET',
  path: '$default',
  event: 'meta/fallback',
  file: 'fallback',
  reach: 'api',
  summary: 'Answers unknown paths and methods',
  auth: 'none',
  cors: 'none',
  input: {},
  output: { status: 204 },
  dialect: 'numeric',
  errors: ['not_found', 'method_not_allowed'],
  errorPage: 'request',
  uses: [],
} as const satisfies Operation;
