// Device-bound sessions (Device Bound Session Credentials, W3C draft). A browser that supports them registers a key of its
// device at the login. From then on, the session's login cookie is valid only together with a short-lived bound cookie, and the
// browser gets a new bound cookie only for a proof by the key. Neither a copied cookie nor a copy of the tables contains the key.
import { createHmac } from 'node:crypto';
import type { BoundToDevice, DeviceBinding } from '../../ports/signing.ts';
import { BINDING_CHALLENGE_SECONDS, BOUND_COOKIE_GRACE_SECONDS } from './limits.ts';
import { areSecretsEqual, hashSecret, newSecret } from './random.ts';

/** Use of a value that a binding authenticates: a challenge for the registration or for a proof, or the bound cookie. */
type Purpose = 'registration' | 'proof' | 'cookie';

/** Returns the binding of a new session. Returns {} if device binding is off, or if the service has no TLS. */
export function newDeviceBinding(
  settings: { readonly deviceBinding: string; readonly browserOrigin: string },
  at: number,
): BoundToDevice {
  if (settings.deviceBinding === 'off' || !settings.browserOrigin.startsWith('https:')) return {};
  return { binding: { secret: newSecret(), proofs: 0, provenAt: at } };
}

const authenticate = ({ secret }: DeviceBinding, purpose: Purpose, text: string): string =>
  createHmac('sha256', secret).update(`${purpose}\n${text}`).digest('base64url');

/** Creates a value that only this service can create. It contains the number of proofs so far, and its expiry. */
function issue(binding: DeviceBinding, purpose: Purpose, expiresAt: number): string {
  const text = `${binding.proofs}.${expiresAt}`;
  return `${text}.${authenticate(binding, purpose, text)}`;
}

const ISSUED = /^(\d{1,15})\.(\d{1,15})\.([\w-]{43})$/;

/** Reads a value that `issue` created for this binding and purpose. Returns undefined for any other value. */
function readIssued(binding: DeviceBinding, purpose: Purpose, value = '') {
  const [, proofs = '', expiresAt = '', mac = ''] = ISSUED.exec(value) ?? [];
  if (!areSecretsEqual(authenticate(binding, purpose, `${proofs}.${expiresAt}`), mac)) return undefined;
  return { proofs: Number(proofs), expiresAt: Number(expiresAt) };
}

/** Returns a challenge for the browser to sign. It is valid until a proof is accepted, but at most for five minutes. */
export const newChallenge = (binding: DeviceBinding, purpose: Purpose, at: number): string =>
  issue(binding, purpose, at + BINDING_CHALLENGE_SECONDS);

/** Returns true if a challenge is one of this session that has not expired and with which no proof was accepted. */
export function isLiveChallenge(binding: DeviceBinding, purpose: Purpose, challenge: string, at: number) {
  const issued = readIssued(binding, purpose, challenge);
  return issued !== undefined && issued.proofs === binding.proofs && issued.expiresAt > at;
}

/**
 * Returns the name of a session's bound cookie. Each session has its own name: a browser may hold sessions of several tenants,
 * and the browser renews the bound cookie of an earlier session, too, until it learns that this session has ended.
 */
export const boundCookieName = (sessionId: string): `__Host-${string}` =>
  `__Host-bound-${hashSecret(sessionId).slice(0, 16)}`;

export const newBoundCookie = (binding: DeviceBinding, expiresAt: number): string =>
  issue(binding, 'cookie', expiresAt);

/**
 * Returns true if a session needs no bound cookie, or if the given cookie is valid. Requests that were sent during a renewal
 * still have the previous cookie, so that cookie stays valid for some seconds. Earlier ones are invalid at once.
 */
export function isOnItsDevice(
  { binding }: BoundToDevice,
  boundCookie: string | undefined,
  at: number,
): boolean {
  if (binding?.key === undefined) return true;
  const issued = readIssued(binding, 'cookie', boundCookie);
  if (!issued || issued.expiresAt + BOUND_COOKIE_GRACE_SECONDS <= at) return false;
  if (issued.proofs === binding.proofs) return true;
  return issued.proofs === binding.proofs - 1 && at < binding.provenAt + BOUND_COOKIE_GRACE_SECONDS;
}

/**
 * Returns the ID by which a browser names a bound session. It contains a hash of the key, because clients know session IDs and
 * could otherwise end the session with a wrong proof.
 */
export const buildBoundSessionId = (sessionId: string, key: string): string =>
  `${sessionId}.${hashSecret(key)}`;

/** Reads the session ID in the ID of a bound session. The caller must compare the whole ID. */
export const readBoundSessionId = (id: string): string => id.slice(0, Math.max(0, id.lastIndexOf('.')));
