import { type ErrorDetail, ServiceError } from '../errors/service-error.ts';
import type { Client, Clients } from '../ports/directory.ts';
import { equalSecrets, hashSecret } from './random.ts';

/** What a client presented: in the form, or by HTTP Basic. */
export interface ClientCredentials {
  readonly clientId: string;
  readonly clientSecret: string;
}

function failed(about: ErrorDetail['about'] = {}): ServiceError {
  return new ServiceError('invalid_client', {
    about,
    headers: { 'www-authenticate': 'Basic realm="one-time-login", charset="UTF-8"' },
  });
}

function malformed(message: string): ServiceError {
  return new ServiceError('system_invalid_input', { message });
}

/** RFC 6749 §2.3.1: both parts are form-urlencoded before they are joined and put into base64. */
function readBasic(header: string): ClientCredentials | undefined {
  const encoded = /^basic +([A-Za-z0-9+/=_-]+) *$/i.exec(header)?.[1];
  if (encoded === undefined) return undefined;
  const joined = Buffer.from(encoded, 'base64').toString('utf8');
  const separator = joined.indexOf(':');
  if (separator < 0) throw failed();
  const decode = (part: string) => decodeURIComponent(part.replaceAll('+', ' '));
  try {
    return {
      clientId: decode(joined.slice(0, separator)),
      clientSecret: decode(joined.slice(separator + 1)),
    };
  } catch {
    throw failed();
  }
}

/**
 * The credentials of a request, by one method alone (RFC 6749 §2.3).
 * Errors: `invalid_client` when there are none, `system_invalid_input` when there are two.
 */
export function readClientCredentials(
  authorization: string | undefined,
  form: { readonly client_id?: string | undefined; readonly client_secret?: string | undefined },
): ClientCredentials {
  const basic = authorization === undefined ? undefined : readBasic(authorization);
  if (basic) {
    if (form.client_secret !== undefined)
      throw malformed('client_secret: use the form or HTTP Basic, not both');
    if (form.client_id !== undefined && form.client_id !== basic.clientId)
      throw malformed('client_id: is not the one of the Authorization header');
    return basic;
  }
  if (form.client_id === undefined || form.client_secret === undefined) throw failed();
  return { clientId: form.client_id, clientSecret: form.client_secret };
}

function holds(client: Client, secret: string): boolean {
  const hash = hashSecret(secret);
  return client.secrets.some((own) => equalSecrets(own.hash, hash));
}

/**
 * The client whose secret was presented. A secret that the cached record does not know may be one minute young, so the
 * table is asked before anybody is refused. Unknown client and wrong secret are one answer.
 * Errors: `invalid_client`.
 */
export async function authenticateClient(
  ports: { readonly clients: Clients },
  { clientId, clientSecret }: ClientCredentials,
): Promise<Client> {
  const known = await ports.clients.find(clientId);
  // What is no client's ID may be anything, a secret in the wrong field too: the log is not told.
  if (!known) throw failed();
  if (holds(known, clientSecret)) return known;
  const fresh = await ports.clients.find(clientId, { fresh: true });
  if (fresh && holds(fresh, clientSecret)) return fresh;
  throw failed({ clientId, tenantId: known.tenantId });
}
