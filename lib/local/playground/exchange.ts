import { createRemoteJWKSet, decodeJwt, jwtVerify } from 'jose';
import { demo } from '../demo.ts';
import { clientToken } from './backend.ts';

export interface ExchangeResult {
  readonly status: number;
  readonly answer: unknown;
  /** The claims of each token in the answer, and whether its signature is right by the published keys. */
  readonly tokens: Readonly<Record<string, { readonly claims: unknown; readonly verified: boolean }>>;
}

interface Answered {
  readonly status: number;
  readonly answer: Readonly<Record<string, unknown>>;
}

export interface CodeToExchange {
  readonly code: string;
  readonly code_verifier?: string | undefined;
  readonly redirect_uri?: string | undefined;
}

async function grant(baseUrl: string, fields: Readonly<Record<string, string>>): Promise<Answered> {
  const response = await fetch(`${baseUrl}/oidc/token`, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'authorization_code', ...fields }),
  });
  return { status: response.status, answer: (await response.json()) as Answered['answer'] };
}

async function post(address: string, json: object, token?: string): Promise<Answered> {
  const response = await fetch(address, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(json),
  });
  return { status: response.status, answer: (await response.json()) as Answered['answer'] };
}

/**
 * Exchanges the code with the demo client, as a backend does. Codes of magic links and of redirect flows look alike, so it
 * tries both; a backend knows which it asked for. A verifier is of a redirect flow that the playground began.
 */
export async function exchangeCode(
  baseUrl: string,
  { code, code_verifier, redirect_uri = '' }: CodeToExchange,
): Promise<ExchangeResult> {
  const { clientId, clientSecret } = demo.client;
  const credentials = { client_id: clientId, client_secret: clientSecret };
  const redirected = code_verifier
    ? await grant(baseUrl, { code, code_verifier, redirect_uri, ...credentials })
    : await post(`${baseUrl}/v1/token`, { code, ...credentials });
  const { status, answer } =
    redirected.status === 200 || code_verifier
      ? redirected
      : await post(`${baseUrl}/v1/auth/link/email/authenticate`, { code }, await clientToken(baseUrl));
  return { status, answer, tokens: status === 200 ? await readTokens(baseUrl, answer) : {} };
}

async function readTokens(baseUrl: string, answer: Readonly<Record<string, unknown>>) {
  const keys = createRemoteJWKSet(new URL(`${baseUrl}/oidc/jwks`));
  const tokens: Record<string, { claims: unknown; verified: boolean }> = {};
  for (const name of ['id_token', 'access_token']) {
    const token = answer[name];
    if (typeof token !== 'string') continue;
    const verified = await jwtVerify(token, keys).then(
      () => true,
      () => false,
    );
    tokens[name] = { claims: decodeJwt(token), verified };
  }
  return tokens;
}
