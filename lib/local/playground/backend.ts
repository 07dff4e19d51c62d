import { demo } from '../demo.ts';
import { forgetFunctions } from '../load-function.ts';

export interface BackendCall {
  /** The demo client as a backend has it, or the management client of the demo tenant. */
  readonly as: 'client' | 'management';
  readonly method: string;
  /** Below the base URL. */
  readonly path: string;
  readonly body?: unknown;
}

export interface BackendAnswer {
  readonly status: number;
  readonly body: unknown;
}

/** Asks for a token of the demo client or the management client. */
export async function clientToken(baseUrl: string, as: BackendCall['as'] = 'client'): Promise<string> {
  const { clientId, clientSecret } = demo[as];
  const granted = await fetch(`${baseUrl}/oidc/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  });
  const { access_token } = (await granted.json()) as { access_token: string };
  return access_token;
}

/** Plays the backend of the demo application for the playground; it keeps a token until the service refuses it. */
export function createBackend(baseUrl: string): (call: BackendCall) => Promise<BackendAnswer> {
  const tokens = new Map<BackendCall['as'], string>();

  async function send({ as, method, path, body }: BackendCall): Promise<BackendAnswer> {
    const token = tokens.get(as) ?? (await clientToken(baseUrl, as));
    tokens.set(as, token);
    const response = await fetch(`${baseUrl}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: text === '' ? null : JSON.parse(text) };
  }

  return async (call) => {
    const known = tokens.has(call.as);
    let answer = await send(call);
    if (answer.status === 401 && known) {
      tokens.delete(call.as);
      answer = await send(call);
    }
    // Functions keep settings for a while; who has just changed one wants to see it.
    if (call.as === 'management' && call.method !== 'GET') forgetFunctions();
    return answer;
  };
}
