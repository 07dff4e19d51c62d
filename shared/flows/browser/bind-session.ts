import {
  buildBoundSessionId,
  isLiveChallenge,
  newChallenge,
  readBoundSessionId,
} from '../../domain/basis/device-binding.ts';
import { SESSION_ID_MAX } from '../../domain/basis/limits.ts';
import { areSecretsEqual } from '../../domain/basis/random.ts';
import { invalidInput, ServiceError } from '../../errors/service-error.ts';
import type { SessionBindings } from '../../ports/signing.ts';
import {
  type DeviceProof,
  isProofFor,
  isSignedByDevice,
  readDeviceProof,
  readHeaderString,
  readProofKey,
} from '../../tokens/device-proof.ts';
import {
  type BindableSession,
  type BindingHost,
  bindingAnswer,
  challengeHeader,
} from './device-binding-answer.ts';

/** Active session that a browser holds. */
export interface FoundSession extends BindableSession {
  /** True if the cookies of the request belong to another session, because the browser has logged in again. */
  readonly isOfOtherLogin: boolean;
  /** Ends the session after a wrong signature. */
  readonly end: () => Promise<void>;
}

/**
 * Request to bind a session to a device, or to renew the short-lived cookie of a bound session. `find` reads a session of the
 * request's host, and `bindings` changes it.
 */
export interface BindingCall {
  readonly host: BindingHost;
  readonly origin: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly now: number;
  readonly bindings: SessionBindings;
  readonly find: (sessionId: string) => Promise<FoundSession | undefined>;
}

async function findBindable(call: BindingCall, sessionId: string) {
  const session = sessionId.length > SESSION_ID_MAX ? undefined : await call.find(sessionId);
  if (session?.binding === undefined) throw new ServiceError('session_not_found');
  return { session, binding: session.binding };
}

/**
 * Stores the public key of the device. The single-use challenge proves that the request comes from the browser that received
 * the response to this login.
 * @throws `system_invalid_input`, `session_not_found`
 */
async function register(call: BindingCall, proof: DeviceProof) {
  const { host, origin, now, bindings } = call;
  const { session, binding } = await findBindable(call, proof.authorization ?? '');
  if (session.isOfOtherLogin) throw new ServiceError('session_not_found');
  if (binding.key !== undefined || !isLiveChallenge(binding, 'registration', proof.challenge, now))
    throw invalidInput('Secure-Session-Response: the challenge is unknown, used or expired');
  const key = readProofKey(proof);
  if (key === undefined || !isProofFor(proof, { origin }) || !(await isSignedByDevice(proof, key)))
    throw invalidInput('Secure-Session-Response: must be signed by the P-256 or RSA key in its header');
  if (!(await bindings.bind(session.sessionId, { secret: binding.secret, key, at: now })))
    throw new ServiceError('session_not_found');
  return bindingAnswer(host, session, { ...binding, key }, now);
}

/**
 * Renews the bound cookie if the request contains a proof signed with the session's key. A wrong signature of a valid challenge
 * ends the session, because only a program without the key produces it. All other requests get a new challenge.
 * @throws `session_not_found`, `device_proof_required`
 */
async function renew(call: BindingCall, boundSessionId: string) {
  const { host, origin, headers, now, bindings } = call;
  const { session, binding } = await findBindable(call, readBoundSessionId(boundSessionId));
  const { key, proofs } = binding;
  if (key === undefined || !areSecretsEqual(boundSessionId, buildBoundSessionId(session.sessionId, key)))
    throw new ServiceError('session_not_found');
  const challenge = (count = proofs) =>
    new ServiceError('device_proof_required', {
      headers: challengeHeader(boundSessionId, newChallenge({ ...binding, proofs: count }, 'proof', now)),
    });
  const proof = readDeviceProof(headers['secure-session-response']);
  if (!proof || !isLiveChallenge(binding, 'proof', proof.challenge, now)) throw challenge();
  if (!isProofFor(proof, { origin, boundSessionId })) throw challenge();
  if (!(await isSignedByDevice(proof, key))) {
    await session.end();
    throw new ServiceError('session_not_found');
  }
  // Another tab has already used this challenge for its proof, so the browser must sign the next challenge.
  if (!(await bindings.countProof(session.sessionId, { key, proofs, at: now }))) throw challenge(proofs + 1);
  return bindingAnswer(host, session, { ...binding, key, proofs: proofs + 1 }, now);
}

/**
 * Registers the key of a device for the session of a login, or renews the short-lived cookie of a session that is bound to a
 * key.
 */
export async function answerBinding(call: BindingCall) {
  const boundSessionId = readHeaderString(call.headers['sec-secure-session-id']);
  if (boundSessionId !== undefined) return renew(call, boundSessionId);
  const proof = readDeviceProof(call.headers['secure-session-response']);
  if (!proof) throw invalidInput('Secure-Session-Response: a proof by the key of a device is required');
  return register(call, proof);
}
