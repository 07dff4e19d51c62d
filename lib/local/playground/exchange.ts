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
  readonly redirect_uri: string;
  /** Of a magic link. */
  readonly is_link?: boolean | undefined;
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

/** Exchanges the code with the demo client, as a backend does. */
export async function exchangeCode(baseUrl: string, exchange: CodeToExchange): Promise<ExchangeResult> {
  const { status, answer } = await answerTo(baseUrl, exchange);
  return { status, answer, tokens: status === 200 ? await readTokens(baseUrl, answer) : {} };
}

/**
 * Codes of magic links and of redirect flows look alike. The playground knows which login it began, as a backend does; for
 * others this tries both.
 */
async function answerTo(
  baseUrl: string,
  { code, code_verifier, redirect_uri, is_link }: CodeToExchange,
): Promise<Answered> {
  const { clientId, clientSecret } = demo.client;
  const credentials = { client_id: clientId, client_secret: clientSecret };
  if (code_verifier !== undefined)
    return grant(baseUrl, { code, code_verifier, redirect_uri, ...credentials });
  if (!is_link) {
    const redirected = await post(`${baseUrl}/v1/token`, { code, redirect_uri, ...credentials });
    if (redirected.status === 200) return redirected;
  }
  return post(`${baseUrl}/v1/auth/link/email/authenticate`, { code }, await clientToken(baseUrl));
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
