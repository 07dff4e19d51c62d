import { type ErrorDetail, escapeRequested, invalidInput, ServiceError } from '../../errors/service-error.ts';
import type { Client, ClientAuthMethod, ClientSecret } from '../../ports/directory.ts';
import type { PortsWith } from '../../ports/uses.ts';
import { once } from '../basis/await-all.ts';
import { areSecretsEqual, hashSecret } from '../basis/random.ts';

/** Client ID and secret, from a form, a JSON body or HTTP Basic. */
export interface ClientCredentials {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** Client credentials in a request. A request uses exactly one authentication method (RFC 6749 §2.3). */
export type PresentedClient =
  | ({ readonly method: 'secret' } & ClientCredentials)
  | {
      readonly method: 'private_key_jwt';
      readonly clientId: string | undefined;
      readonly assertionType: string;
      readonly assertion: string;
    }
  | { readonly method: 'none'; readonly clientId: string };

/** Form fields that authenticate a client (RFC 6749 §2.3.1, RFC 7521 §4.2). */
export interface ClientForm {
  readonly client_id?: string | undefined;
  readonly client_secret?: string | undefined;
  readonly client_assertion_type?: string | undefined;
  readonly client_assertion?: string | undefined;
}

/** Builds the error `invalid_client`, with the `WWW-Authenticate` header that a 401 requires. */
export function invalidClient(
  detail: Pick<ErrorDetail, 'unknownValue' | 'audit' | 'message'> = {},
): ServiceError {
  return new ServiceError('invalid_client', {
    ...detail,
    headers: { 'www-authenticate': 'Basic realm="one-time-login", charset="UTF-8"' },
  });
}

/** Parses HTTP Basic credentials. ID and secret are form-urlencoded before they are joined (RFC 6749 §2.3.1). */
function readBasic(header: string): ClientCredentials | undefined {
  const encoded = /^basic +([A-Za-z0-9+/=_-]+) *$/i.exec(header)?.[1];
  if (encoded === undefined) return undefined;
  const joined = Buffer.from(encoded, 'base64').toString('utf8');
  const separator = joined.indexOf(':');
  if (separator < 0) throw invalidClient();
  const decode = (part: string) => decodeURIComponent(part.replaceAll('+', ' '));
  try {
    return {
      clientId: decode(joined.slice(0, separator)),
      clientSecret: decode(joined.slice(separator + 1)),
    };
  } catch {
    throw invalidClient();
  }
}

/** Reads a client assertion and its type; both are required. An empty value is treated as omitted (RFC 6749 §3.2). */
function readAssertion(form: ClientForm) {
  const [assertion, assertionType] = [form.client_assertion, form.client_assertion_type];
  if (!assertion && !assertionType) return undefined;
  if (!assertion) throw invalidInput('client_assertion: is required with client_assertion_type');
  if (!assertionType) throw invalidInput('client_assertion_type: is required with client_assertion');
  return { assertion, assertionType };
}

/**
 * Reads the client credentials of a request, which must use exactly one method (RFC 6749 §2.3). Errors: `invalid_client`
 * without credentials, `system_invalid_input` for several methods.
 */
export function readPresentedClient(authorization: string | undefined, form: ClientForm): PresentedClient {
  const basic = authorization === undefined ? undefined : readBasic(authorization);
  const assertion = readAssertion(form);
  const clientId = form.client_id || undefined;
  const clientSecret = form.client_secret || undefined;
  if (basic && clientSecret !== undefined)
    throw invalidInput('client_secret: use the form or HTTP Basic, not both');
  if (assertion && (basic || clientSecret !== undefined))
    throw invalidInput('client_assertion: use it or a secret, not both');
  if (basic) {
    if (clientId !== undefined && clientId !== basic.clientId)
      throw invalidInput('client_id: differs from the one in the Authorization header');
    return { method: 'secret', ...basic };
  }
  if (assertion) return { method: 'private_key_jwt', clientId, ...assertion };
  if (clientId === undefined) throw invalidClient();
  return clientSecret === undefined
    ? { method: 'none', clientId }
    : { method: 'secret', clientId, clientSecret };
}

/** Returns true if the method is the one that the client is registered with. */
export function usesMethod({ authMethod = 'secret' }: Client, method: ClientAuthMethod): boolean {
  return authMethod === method;
}

/** Authenticated client, with the credential that authenticated it. */
export interface ProvenClient<Proof = unknown> {
  readonly client: Client;
  readonly proof: Proof;
  /**
   * Verifies the credential again, against the stored client record, because the cached record may miss a revocation of the
   * last minute. The record is read only once, so `confirm` can be called in parallel with other calls. Until `confirm`
   * succeeds, the client must neither get nor change anything. Errors: `invalid_client`.
   */
  readonly confirm: () => Promise<Client>;
}

/**
 * Authenticates a client by a proof. The cached record may miss a change of the last minute, so a failed proof is checked once
 * more against the stored record if `mayReadAgain` allows it. An unknown client and a failed proof get the same response.
 * Errors: `invalid_client`.
 */
export async function requireProvenClient<Proof>(
  ports: PortsWith<'clients'>,
  clientId: string,
  prove: (client: Client) => Proof | undefined | Promise<Proof | undefined>,
  mayReadAgain: (client: Client) => boolean = () => true,
): Promise<ProvenClient<Proof>> {
  const known = await ports.clients.find(clientId);
  const asked = escapeRequested(clientId);
  // Never log an unknown client ID: it may be a secret that was entered in the wrong field.
  if (!known) throw invalidClient({ unknownValue: asked });
  const refused = () => invalidClient({ unknownValue: asked, audit: { clientId, tenantId: known.tenantId } });
  const afresh = async (): Promise<ProvenClient<Proof>> => {
    const client = await ports.clients.find(clientId, { fresh: true });
    const proof = client && (await prove(client));
    if (!client || !proof) throw refused();
    return { client, proof, confirm: () => Promise.resolve(client) };
  };
  const proof = await prove(known);
  if (!proof && !mayReadAgain(known)) throw refused();
  if (!proof) return afresh();
  return { client: known, proof, confirm: once(async () => (await afresh()).client) };
}

/** Authenticates a client by its secret. Errors: `invalid_client`. */
export function authenticateClient(
  ports: PortsWith<'clients'>,
  { clientId, clientSecret }: ClientCredentials,
  mayReadAgain?: (client: Client) => boolean,
): Promise<ProvenClient<ClientSecret>> {
  const hash = hashSecret(clientSecret);
  const prove = (client: Client) =>
    usesMethod(client, 'secret') ? client.secrets.find((own) => areSecretsEqual(own.hash, hash)) : undefined;
  return requireProvenClient(ports, clientId, prove, mayReadAgain);
}
