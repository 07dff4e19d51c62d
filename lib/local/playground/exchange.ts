import { demo } from '../demo.ts';
import { requestClientToken } from './backend.ts';

interface ExchangeResult {
  readonly status: number;
  readonly answer: unknown;
}

interface CodeToExchange {
  readonly code: string;
  readonly code_verifier?: string | undefined;
  readonly redirect_uri: string;
  /**
   * True if the code belongs to a magic link. False or undefined if the code comes from a redirect, or if its origin is
   * unknown.
   */
  readonly is_link?: boolean | undefined;
}

async function post(address: string, request: RequestInit): Promise<ExchangeResult> {
  const response = await fetch(address, { method: 'POST', ...request });
  return { status: response.status, answer: await response.json() };
}

const json = (body: object, headers: Readonly<Record<string, string>> = {}): RequestInit => ({
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
});

/**
 * Exchanges a code for tokens with the credentials of the demo client, as a backend does. Codes of magic links and of redirect
 * flows look alike. If another client started the login, the type of the code is unknown, so this function tries both
 * endpoints.
 */
export async function exchangeCode(
  baseUrl: string,
  { code, code_verifier, redirect_uri, is_link }: CodeToExchange,
): Promise<ExchangeResult> {
  const { clientId, clientSecret } = demo.client;
  const credentials = { client_id: clientId, client_secret: clientSecret };
  if (code_verifier !== undefined)
    return post(`${baseUrl}/oidc/token`, {
      body: new URLSearchParams({
        ...{ grant_type: 'authorization_code', code, code_verifier, redirect_uri },
        ...credentials,
      }),
    });
  if (!is_link) {
    const redirected = await post(`${baseUrl}/v1/token`, json({ code, redirect_uri, ...credentials }));
    if (redirected.status === 200) return redirected;
  }
  const authorization = `Bearer ${await requestClientToken(baseUrl)}`;
  return post(`${baseUrl}/v1/auth/link/email/authenticate`, json({ code }, { authorization }));
}
