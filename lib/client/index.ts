// Entry point of the package `one-time-login-client`. lib/build/client/package.ts generates api.ts and compiles the package.
import { type ErrorCode, type Operations, routes } from './api.ts';
import { type ClientFor, type ClientOptions, createClientFromRoutes } from './client.ts';
import { ApiError as AnyApiError } from './errors.ts';

/** Typed client of the service: one function for each operation, and functions that verify its tokens. */
export type Client = ClientFor<Operations>;

/**
 * Creates a client of the service for your backend. The client requests and renews its access token when needed.
 * @throws TypeError if an option is missing, empty or unknown.
 * @example
 * const client = createClient({ baseUrl: 'https://login.example.com/cis', clientId: 'shop', clientSecret });
 * await client.sendOTP({ channel: 'email', identifier_type: 'email', identifier: 'ann@example.com' });
 */
export const createClient = (options: ClientOptions): Client =>
  createClientFromRoutes<Operations>(routes, options);

/**
 * Error with which a call rejects if the service does not respond with success.
 * @example
 * await client.createUser({ email }).catch((error) => {
 *   if (!(error instanceof ApiError && error.status === 409)) throw error; // 409: the user exists already.
 * });
 */
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
