import { demo } from '../demo.ts';

export interface BackendCall {
  readonly method: string;
  /** Path below the base URL of the service. */
  readonly path: string;
  readonly body?: unknown;
}

export interface BackendAnswer {
  readonly status: number;
  readonly body: unknown;
}

/** Requests an access token for the demo client. */
export async function requestClientToken(baseUrl: string): Promise<string> {
  const { clientId, clientSecret } = demo.client;
  const granted = await fetch(`${baseUrl}/oidc/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  });
  const { access_token } = (await granted.json()) as { access_token: string };
  return access_token;
}

/**
 * Creates the backend of the demo application for the playground. Uses one access token until the service rejects the token.
 */
export function createBackend(baseUrl: string): (call: BackendCall) => Promise<BackendAnswer> {
  let token: string | undefined;

  async function send({ method, path, body }: BackendCall): Promise<BackendAnswer> {
    token ??= await requestClientToken(baseUrl);
    const response = await fetch(`${baseUrl}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: text === '' ? null : JSON.parse(text) };
  }

  return async (call) => {
    const isNew = token === undefined;
    const answer = await send(call);
    if (answer.status !== 401 || isNew) return answer;
    token = undefined;
    return send(call);
  };
}
