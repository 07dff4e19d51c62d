// Compiled by bin/package.ts alone, which makes api.ts.
import { type ErrorCode, type Operations, routes } from './api.ts';
import { type ClientOf, type ClientOptions, createClientOf } from './client.ts';
import { ApiError as AnyApiError } from './errors.ts';

export type Client = ClientOf<Operations>;

/** What a backend needs of the service: its operations, one token for all of them, and verification. */
export const createClient = (options: ClientOptions): Client => createClientOf<Operations>(routes, options);

/** An answer of the service that is no success. */
export const ApiError = AnyApiError<ErrorCode>;
export type ApiError = AnyApiError<ErrorCode>;

export type * from './api.ts';
export type { ClientOptions } from './client.ts';
export { VerificationError } from './errors.ts';
export { type Needs, type ProtectedResource, protectResource, type ResourceOptions } from './protect.ts';
export {
  type AccessTokenClaims,
  createVerifier,
  type FormerClaims,
  type FormerIssuer,
  type IdTokenClaims,
} from './verify.ts';
export { verifyWebhook, type WebhookEvent } from './webhook.ts';
