import {
  authenticateClient,
  type ClientForm,
  type PresentedClient,
  type ProvenClient,
  readPresentedClient,
  requireProvenClient,
  usesMethod,
} from '../domain/oauth/client-authentication.ts';
import { mayReadAgain } from '../domain/rate-limits/failed-client.ts';
import type { Client } from '../ports/directory.ts';
import type { PortsWith } from '../ports/uses.ts';
import {
  type AssertionExpectation,
  checkStrictRules,
  isSignedByClient,
  readClientAssertion,
  spendClientAssertion,
} from './client-assertion.ts';
import { publicAddresses } from './public-addresses.ts';

export type ClientAuthenticationPorts = PortsWith<'clients' | 'replays'>;

export interface AuthenticatedClient extends Omit<ProvenClient, 'proof'> {
  /** ID of the secret that the client presented. */
  readonly secretId?: string;
}

export interface ClientRequest {
  readonly request: {
    /** Time of the request in epoch seconds. */
    readonly now: number;
    readonly path: string;
    readonly sourceAddress: string;
    readonly headers: Readonly<Record<string, string | undefined>>;
  };
  readonly form: ClientForm;
  readonly settings: { readonly baseUrl: string; readonly issuer: string };
}

const TOKEN_PATH = '/oidc/token';

async function authenticateByAssertion(
  ports: ClientAuthenticationPorts,
  presented: PresentedClient & { readonly method: 'private_key_jwt' },
  expected: AssertionExpectation,
  readsAgain: (client: Client) => boolean,
): Promise<AuthenticatedClient> {
  const assertion = readClientAssertion(presented, expected);
  const prove = (candidate: Client) => isSignedByClient(candidate, assertion, expected.now);
  const proven = await requireProvenClient(ports, assertion.clientId, prove, readsAgain);
  checkStrictRules(proven.client, assertion, expected.issuer);
  await spendClientAssertion(ports, assertion, expected.now);
  return proven;
}

/**
 * Authenticates the client of a request to an OAuth endpoint with its configured method (RFC 6749 §2.3): a secret in the form
 * or by HTTP Basic, `private_key_jwt`, or none for a public client. A public client proves nothing, so each operation must
 * decide whether it accepts public clients. The audience of an assertion may be the issuer, the token endpoint or the requested
 * endpoint (RFC 9126 §2). Errors: `invalid_client`, `system_invalid_input`.
 */
export async function authenticateClientRequest(
  ports: ClientAuthenticationPorts,
  { request, form, settings }: ClientRequest,
): Promise<AuthenticatedClient> {
  const presented = readPresentedClient(request.headers.authorization, form);
  const readsAgain = (client: Client) => mayReadAgain(client, request);
  if (presented.method === 'secret') {
    const proven = await authenticateClient(ports, presented, readsAgain);
    return { ...proven, secretId: proven.proof.secretId };
  }
  if (presented.method === 'none')
    return requireProvenClient(ports, presented.clientId, (client) => usesMethod(client, 'none'), readsAgain);
  const endpoints = [TOKEN_PATH, request.path].flatMap((path) => publicAddresses(settings.baseUrl, path));
  const expected = { issuer: settings.issuer, endpoints, now: request.now };
  return authenticateByAssertion(ports, presented, expected, readsAgain);
}
