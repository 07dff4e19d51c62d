// Tokens of a logged-in person. They are bound to a key that stays on this machine (DPoP, RFC 9449).

import { createHash, createPrivateKey, type JsonWebKey, randomUUID, sign } from 'node:crypto';
import type { InferOutput } from 'valibot';
import { OTL_CLIENT_ID } from '../../../shared/domain/operators/operators.ts';
import type { OwnOperatorResponse } from '../../../shared/schemas/tenants.ts';
import { RefusedError } from '../terminal/failure.ts';
import { findLogin, keepLogin, type Login } from './login-file.ts';

const MILLISECONDS = 1000;
/** Number of seconds before its expiry at which an access token is renewed, so that it does not expire during a call. */
const SPARE_SECONDS = 30;

const now = () => Math.floor(Date.now() / MILLISECONDS);

const encoded = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');

function signProof(key: JsonWebKey, method: string, url: string, accessToken?: string): string {
  const { kty, crv, x, y } = key;
  const ath = accessToken && createHash('sha256').update(accessToken).digest('base64url');
  const claims = {
    htm: method,
    htu: url.replace(/[?#].*/, ''),
    jti: randomUUID(),
    iat: now(),
    ...(ath && { ath }),
  };
  const head = { typ: 'dpop+jwt', alg: 'ES256', jwk: { kty, crv, x, y } };
  const signed = `${encoded(head)}.${encoded(claims)}`;
  const privateKey = createPrivateKey({ key, format: 'jwk' });
  const signature = sign('sha256', Buffer.from(signed), { key: privateKey, dsaEncoding: 'ieee-p1363' });
  return `${signed}.${signature.toString('base64url')}`;
}

interface TokenAnswer {
  readonly access_token?: string;
  readonly refresh_token?: string;
  readonly expires_in?: number;
  readonly error?: string;
  readonly error_description?: string;
}

/** Exchanges an authorization code or a refresh token for new tokens. Throws `RefusedError`. */
export async function buyTokens(
  baseUrl: string,
  key: JsonWebKey,
  grant: Readonly<Record<string, string>>,
): Promise<Login> {
  const url = `${baseUrl}/oidc/token`;
  const answer = await fetch(url, {
    method: 'POST',
    headers: { dpop: signProof(key, 'POST', url) },
    body: new URLSearchParams({ client_id: OTL_CLIENT_ID, ...grant }),
  });
  const body = (await answer.json().catch(() => ({}))) as TokenAnswer;
  const { access_token: accessToken, refresh_token: refreshToken, expires_in: seconds = 0 } = body;
  if (!answer.ok || !accessToken || !refreshToken)
    throw new RefusedError(
      grant.grant_type === 'refresh_token'
        ? 'Your login has ended. Run otl login.'
        : `The service issued no tokens: ${body.error_description ?? body.error ?? answer.status}`,
    );
  return { key, accessToken, refreshToken, expiresAt: now() + seconds };
}

/** Returns the login with a valid access token. Renews the tokens first if they expire soon. */
async function renewIfExpired(baseUrl: string, login: Login): Promise<Login> {
  if (now() < login.expiresAt - SPARE_SECONDS) return login;
  const renewed = await buyTokens(baseUrl, login.key, {
    grant_type: 'refresh_token',
    refresh_token: login.refreshToken,
  });
  keepLogin(baseUrl, renewed);
  return renewed;
}

/** Error for a call that the API rejects, with the HTTP status of the response. */
export class ApiRefusal extends RefusedError {
  readonly status: number;
  constructor(message: string, status: number) {
    super(message);
    this.status = status;
  }
}

/**
 * Returns the parsed body of a response, or undefined if the response has no body.
 * @throws `ApiRefusal`, with one line for each message of the service.
 */
export async function readAnswer(answer: Response): Promise<unknown> {
  const body: unknown = await answer.json().catch(() => undefined);
  if (answer.ok) return body;
  const { error, message, error_description } = (body ?? {}) as {
    readonly error?: string;
    readonly message?: string | readonly string[];
    readonly error_description?: string;
  };
  const words =
    error === 'insufficient_user_authentication'
      ? 'This command requires a login within the last ten minutes. Run otl login.'
      : (message ?? error_description ?? `The service responded with ${answer.status}`);
  throw new ApiRefusal([words].flat().join('\n'), answer.status);
}

export interface Call {
  readonly method: string;
  /** Path of the API operation below the base URL, with the query string. */
  readonly path: string;
  readonly tenantId?: string | undefined;
  readonly json?: object | undefined;
}

/** Calls the API as the logged-in person. Throws `ApiRefusal`, `RefusedError`. */
export async function callAsPerson(
  baseUrl: string,
  { method, path, tenantId, json }: Call,
): Promise<unknown> {
  const login = findLogin(baseUrl);
  if (!login) throw new RefusedError('You are not logged in. Run otl login.');
  const { key, accessToken } = await renewIfExpired(baseUrl, login);
  const url = `${baseUrl}${path}`;
  const answer = await fetch(url, {
    method,
    headers: {
      authorization: `DPoP ${accessToken}`,
      dpop: signProof(key, method, url, accessToken),
      ...(tenantId && { 'otl-tenant': tenantId }),
      ...(json && { 'content-type': 'application/json' }),
    },
    ...(json && { body: JSON.stringify(json) }),
  });
  return readAnswer(answer);
}

type OwnAnswer = InferOutput<typeof OwnOperatorResponse>;

/** Returns the record of the logged-in operator, with the tenants that the operator may manage. Throws `RefusedError`. */
export async function ownRecord(baseUrl: string): Promise<OwnAnswer['result']> {
  const answer = await callAsPerson(baseUrl, { method: 'GET', path: '/v1/operator' });
  return (answer as OwnAnswer).result;
}
