import { askedFor, type ErrorDetail, invalidInput, ServiceError } from '../../errors/service-error.ts';
import type { Client, ClientAuthMethod, ClientSecret } from '../../ports/directory.ts';
import type { Using } from '../../ports/uses.ts';
import { equalSecrets, hashSecret } from '../basis/random.ts';

/** A client and its secret: in the form, in JSON, or by HTTP Basic. */
export interface ClientCredentials {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** What a request brings along to tell which client it comes from: one method, never two (RFC 6749 §2.3). */
export type PresentedClient =
  | ({ readonly method: 'secret' } & ClientCredentials)
  | {
      readonly method: 'private_key_jwt';
      readonly clientId: string | undefined;
      readonly assertionType: string;
      readonly assertion: string;
    }
  | { readonly method: 'none'; readonly clientId: string };

/** Fields of a form by which a client authenticates (RFC 6749 §2.3.1, RFC 7521 §4.2). */
export interface ClientForm {
  readonly client_id?: string | undefined;
  readonly client_secret?: string | undefined;
  readonly client_assertion_type?: string | undefined;
  readonly client_assertion?: string | undefined;
}

/** `invalid_client`, with the challenge that a 401 must have. */
export function clientRefused(detail: Pick<ErrorDetail, 'asked' | 'audit' | 'message'> = {}): ServiceError {
  return new ServiceError('invalid_client', {
    ...detail,
    headers: { 'www-authenticate': 'Basic realm="one-time-login", charset="UTF-8"' },
  });
}

/** RFC 6749 §2.3.1: both parts are form-urlencoded before they are joined and put into base64. */
function readBasic(header: string): ClientCredentials | undefined {
  const encoded = /^basic +([A-Za-z0-9+/=_-]+) *$/i.exec(header)?.[1];
  if (encoded === undefined) return undefined;
  const joined = Buffer.from(encoded, 'base64').toString('utf8');
  const separator = joined.indexOf(':');
  if (separator < 0) throw clientRefused();
  const decode = (part: string) => decodeURIComponent(part.replaceAll('+', ' '));
  try {
    return {
      clientId: decode(joined.slice(0, separator)),
      clientSecret: decode(joined.slice(separator + 1)),
    };
  } catch {
    throw clientRefused();
  }
}

/** Both parts of an assertion, or neither; a value that is empty was not sent (RFC 6749 §3.2). */
function readAssertion(form: ClientForm) {
  const [assertion, assertionType] = [form.client_assertion, form.client_assertion_type];
  if (!assertion && !assertionType) return undefined;
  if (!assertion) throw invalidInput('client_assertion: is required with client_assertion_type');
  if (!assertionType) throw invalidInput('client_assertion_type: is required with client_assertion');
  return { assertion, assertionType };
}

/**
 * The credentials of a request, by one method alone (RFC 6749 §2.3).
 * Errors: `invalid_client` when there are none, `system_invalid_input` when there are two.
 */
export function readClientAuthentication(
  authorization: string | undefined,
  form: ClientForm,
): PresentedClient {
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
      throw invalidInput('client_id: is not the one of the Authorization header');
    return { method: 'secret', ...basic };
  }
  if (assertion) return { method: 'private_key_jwt', clientId, ...assertion };
  if (clientId === undefined) throw clientRefused();
  return clientSecret === undefined
    ? { method: 'none', clientId }
    : { method: 'secret', clientId, clientSecret };
}

/** A client has exactly one method. */
export function usesMethod({ authMethod = 'secret' }: Client, method: ClientAuthMethod): boolean {
  return authMethod === method;
}

/** A client that has proven itself. */
export interface ProvenClient<Proof = unknown> {
  readonly client: Client;
  readonly proof: Proof;
  /**
   * Proves it again against the record as it is now: the cached one may miss a revocation of the last minute. Reads once,
   * when it is called first, so that it costs no time beside other calls. Before it, the client must get nothing and must
   * change nothing. Errors: `invalid_client`.
   */
  readonly confirm: () => Promise<Client>;
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/**
 * Authenticates a client by a proof. The cached record may miss a change of the last minute, so a failed proof is tried
 * against the table, where `mayReadAgain`. An unknown client and a failed proof get one answer. Errors: `invalid_client`.
 */
export async function requireProvenClient<Proof>(
  ports: Using<'clients'>,
  clientId: string,
  prove: (client: Client) => Proof | undefined | Promise<Proof | undefined>,
  mayReadAgain: (client: Client) => boolean = () => true,
): Promise<ProvenClient<Proof>> {
  const known = await ports.clients.find(clientId);
  const asked = askedFor(clientId);
  // Never log an unknown ID: it may be a secret in the wrong field.
  if (!known) throw clientRefused({ asked });
  const refused = () => clientRefused({ asked, audit: { clientId, tenantId: known.tenantId } });
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
  ports: Using<'clients'>,
  { clientId, clientSecret }: ClientCredentials,
  mayReadAgain?: (client: Client) => boolean,
): Promise<ProvenClient<ClientSecret>> {
  const hash = hashSecret(clientSecret);
  const prove = (client: Client) =>
    usesMethod(client, 'secret') ? client.secrets.find((own) => equalSecrets(own.hash, hash)) : undefined;
  return requireProvenClient(ports, clientId, prove, mayReadAgain);
}
