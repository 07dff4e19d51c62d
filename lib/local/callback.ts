import { createRemoteJWKSet, decodeJwt, jwtVerify } from 'jose';
import { demo } from './demo.ts';

export interface ExchangeResult {
  readonly status: number;
  readonly answer: unknown;
  /** The claims of each token in the answer, and whether its signature is right by the published keys. */
  readonly tokens: Readonly<Record<string, { readonly claims: unknown; readonly verified: boolean }>>;
}

/** Does what a backend does with the code of a magic link, with the demo client: a client token, then the user's tokens. */
export async function exchangeCode(baseUrl: string, code: string): Promise<ExchangeResult> {
  const { clientId, clientSecret } = demo.client;
  const granted = await fetch(`${baseUrl}/oidc/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: clientId,
      client_secret: clientSecret,
    }),
  });
  const grant = (await granted.json()) as { access_token?: string };
  if (!granted.ok) return { status: granted.status, answer: grant, tokens: {} };
  const response = await fetch(`${baseUrl}/v1/auth/link/email/authenticate`, {
    method: 'POST',
    headers: { authorization: `Bearer ${grant.access_token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ code }),
  });
  const answer = (await response.json()) as Record<string, unknown>;
  return { status: response.status, answer, tokens: response.ok ? await readTokens(baseUrl, answer) : {} };
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
