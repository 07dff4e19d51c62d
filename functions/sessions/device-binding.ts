import { readLoginCookie } from '../../shared/domain/basis/browser.ts';
import {
  buildBoundSessionId,
  isLiveChallenge,
  newChallenge,
  readBoundSessionId,
} from '../../shared/domain/basis/device-binding.ts';
import { SESSION_ID_MAX } from '../../shared/domain/basis/limits.ts';
import { areSecretsEqual } from '../../shared/domain/basis/random.ts';
import { invalidInput, ServiceError } from '../../shared/errors/service-error.ts';
import { bindingAnswer, challengeHeader } from '../../shared/flows/browser/device-binding-answer.ts';
import type { OperationAnswer, OperationPorts, OperationRequest, UseCase } from '../../shared/operation.ts';
import type { Session } from '../../shared/ports/flows.ts';
import type { DeviceBinding } from '../../shared/ports/signing.ts';
import {
  type DeviceProof,
  isProofFor,
  isSignedByDevice,
  readDeviceProof,
  readHeaderString,
  readProofKey,
} from '../../shared/tokens/device-proof.ts';
import type * as rows from './rows.ts';

type Row = typeof rows.bindSession;
type Ports = OperationPorts<Row>;
type Input = Pick<OperationRequest<Row>, 'request' | 'settings' | 'audit'>;

/** Session that a browser holds and that can be bound to a device. */
interface BindableSession extends Session {
  readonly binding: DeviceBinding;
}

async function findBindable(ports: Ports, sessionId: string, now: number): Promise<BindableSession> {
  const session = sessionId.length > SESSION_ID_MAX ? undefined : await ports.sessions.find(sessionId, now);
  if (session?.binding === undefined || session.browserHash === undefined)
    throw new ServiceError('session_not_found');
  return { ...session, binding: session.binding };
}

/** Rejects a registration if this browser has meanwhile logged in as another user of the tenant. */
function requireOwnBrowser(session: Session, cookies: Input['request']['cookies']): void {
  const held = readLoginCookie(session, cookies);
  if (held && !areSecretsEqual(held.browserHash, session.browserHash ?? ''))
    throw new ServiceError('session_not_found');
}

/**
 * Stores the key of the device. The challenge proves that the browser got the response to this login, and works once.
 * @throws `system_invalid_input`, `session_not_found`
 */
async function register(
  ports: Ports,
  { request: { now, cookies }, settings, audit }: Input,
  proof: DeviceProof,
): Promise<OperationAnswer<Row>> {
  const session = await findBindable(ports, proof.authorization ?? '', now);
  const { sessionId, userId, tenantId, binding } = session;
  audit({ sessionId, userId, tenantId });
  requireOwnBrowser(session, cookies);
  if (binding.key !== undefined || !isLiveChallenge(binding, 'registration', proof.challenge, now))
    throw invalidInput('Secure-Session-Response: the challenge is unknown, used or expired');
  const key = readProofKey(proof);
  const isForUs = isProofFor(proof, { origin: settings.browserOrigin });
  if (key === undefined || !isForUs || !(await isSignedByDevice(proof, key)))
    throw invalidInput('Secure-Session-Response: must be signed by the P-256 or RSA key in its header');
  if (!(await ports.sessions.bind(sessionId, { secret: binding.secret, key, at: now })))
    throw new ServiceError('session_not_found');
  return bindingAnswer(session, { ...binding, key }, now);
}

/**
 * Renews the bound cookie for a proof by the session's key. A wrong signature of a live challenge ends the session, because only
 * a program without the key produces it. All other requests get a new challenge.
 * @throws `session_not_found`, `device_proof_required`
 */
async function renew(
  ports: Ports,
  { request: { headers, now }, settings, audit }: Input,
  boundSessionId: string,
): Promise<OperationAnswer<Row>> {
  const session = await findBindable(ports, readBoundSessionId(boundSessionId), now);
  const { sessionId, userId, tenantId, applicationId, clientId, binding } = session;
  const { key } = binding;
  if (key === undefined || !areSecretsEqual(boundSessionId, buildBoundSessionId(sessionId, key)))
    throw new ServiceError('session_not_found');
  audit({ sessionId, userId, tenantId, applicationId, clientId });
  const challenge = (proofs = binding.proofs) =>
    new ServiceError('device_proof_required', {
      headers: challengeHeader(boundSessionId, newChallenge({ ...binding, proofs }, 'proof', now)),
    });
  const proof = readDeviceProof(headers['secure-session-response']);
  if (!proof || !isLiveChallenge(binding, 'proof', proof.challenge, now)) throw challenge();
  if (!isProofFor(proof, { origin: settings.browserOrigin, boundSessionId })) throw challenge();
  if (!(await isSignedByDevice(proof, key))) {
    await ports.sessions.end(sessionId, now);
    audit({ events: ['session.binding_failed', 'session.ended'] });
    throw new ServiceError('session_not_found');
  }
  const { proofs } = binding;
  // Another tab was faster with a proof of the same challenge. The browser signs the next challenge.
  if (!(await ports.sessions.countProof(sessionId, { key, proofs, at: now }))) throw challenge(proofs + 1);
  return bindingAnswer(session, { ...binding, key, proofs: proofs + 1 }, now);
}

/** Registers the key of a device for the session of a login, or renews the bound cookie of a session. */
export const bindSession: UseCase<Row> = async (input, ports) => {
  const { headers } = input.request;
  const boundSessionId = readHeaderString(headers['sec-secure-session-id']);
  if (boundSessionId !== undefined) return renew(ports, input, boundSessionId);
  const proof = readDeviceProof(headers['secure-session-response']);
  if (!proof) throw invalidInput('Secure-Session-Response: a proof by the key of a device is required');
  return register(ports, input, proof);
};
