import { awaitAll } from '../../../shared/domain/basis/await-all.ts';
import {
  type AuthorizationParameters,
  PROVEN_CLIENT,
  readAuthorizationRequest,
  withoutEmpty,
} from '../../../shared/domain/oauth/authorization-request.ts';
import { storePushedRequest } from '../../../shared/domain/oauth/pushed-request.ts';
import { runCounted } from '../../../shared/domain/rate-limits/call-window.ts';
import { resolveAudience } from '../../../shared/domain/sessions/audience.ts';
import { invalidInput, ServiceError } from '../../../shared/errors/service-error.ts';
import type { OperationPorts, OperationRequest, UseCase } from '../../../shared/operation.ts';
import type { Client } from '../../../shared/ports/directory.ts';
import { type DpopProof, spendDpopProof, verifyTokenRequestProof } from '../../../shared/tokens/dpop.ts';
import { requireOAuthCaller } from '../../../shared/tokens/oauth-caller.ts';
import type * as rows from '../rows.ts';

type Input = Pick<OperationRequest<typeof rows.pushRequest>, 'form' | 'request' | 'settings' | 'audit'>;
type PushPorts = OperationPorts<typeof rows.pushRequest>;

/**
 * Reads the DPoP proof of a pushed request. The code is bound to the key of the proof, which must match `dpop_jkt` (RFC 9449
 * §10.1).
 */
async function readProof(
  ports: PushPorts,
  client: Client,
  { form, request, settings }: Input,
): Promise<DpopProof | undefined> {
  if (request.headers.dpop === undefined) return undefined;
  const proof = await verifyTokenRequestProof(ports, client, { request, settings, now: request.now });
  if (proof && form.dpop_jkt !== undefined && form.dpop_jkt !== proof.jkt)
    throw new ServiceError('invalid_dpop_proof', { message: 'DPoP: the key is not that of dpop_jkt' });
  return proof;
}

/**
 * Returns the parameters to store, without the client's secrets.
 * @throws `system_invalid_input` if the parameters contain `request_uri`
 */
function pickStoredParameters(
  client: Client,
  form: Input['form'],
  proof: DpopProof | undefined,
): AuthorizationParameters {
  if (form.request_uri !== undefined) throw invalidInput('request_uri: must not be pushed');
  const { client_secret: _, client_assertion: __, client_assertion_type: ___, ...given } = form;
  return {
    ...given,
    client_id: client.clientId,
    scope: given.scope ?? 'openid',
    ...(proof ? { dpop_jkt: proof.jkt } : {}),
    ...(client.authMethod === 'none' ? {} : { [PROVEN_CLIENT]: 'true' }),
  };
}

/**
 * Authenticates the client, validates the request as the authorization endpoint does, and stores it (RFC 9126 §2.1, SPEC F).
 * @throws `invalid_client`, and the errors of authorization requests
 */
async function takePushedRequest(
  input: Input,
  ports: PushPorts,
): Promise<{ readonly request_uri: string; readonly expires_in: number }> {
  const { request, settings, audit } = input;
  const form = withoutEmpty(input.form);
  const caller = await requireOAuthCaller(ports, { form, request, settings, audit });
  const { client, application } = caller;
  if (!application) throw new ServiceError('invalid_client');
  const { requestUri, expiresIn } = await runCounted(ports, caller, input, async () => {
    const proof = await readProof(ports, client, { ...input, form });
    const parameters = pickStoredParameters(client, form, proof);
    const { resources } = readAuthorizationRequest(parameters, { client, application }, settings);
    for (const resource of resources)
      await resolveAudience(ports, { client, application }, resource, settings);
    const [kept] = await awaitAll(
      storePushedRequest(ports, client, parameters, request.now),
      proof ? spendDpopProof(ports, proof, request.now) : Promise.resolve(),
    );
    return kept;
  });
  return { request_uri: requestUri, expires_in: expiresIn };
}

/** Stores a pushed authorization request and responds with 200 (SPEC F). */
export const pushRequest: UseCase<typeof rows.pushRequest> = async (input, ports) => ({
  json: await takePushedRequest(input, ports),
});

/** Stores a pushed authorization request and responds with 201, as RFC 9126 requires. */
export const pushRequestRfc9126: UseCase<typeof rows.pushRequestRfc9126> = async (input, ports) => ({
  json: await takePushedRequest(input, ports),
});
