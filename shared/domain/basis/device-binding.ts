// Device-bound sessions (Device Bound Session Credentials, W3C draft). A browser that supports them registers a key of its
// device at the login. From then on, the session's login cookie is valid only together with a short-lived bound cookie, and the
// browser gets a new bound cookie only for a proof by the key. Neither a copied cookie nor a copy of the tables contains the key.
import { createHmac } from 'node:crypto';
import type { BoundToDevice, DeviceBinding } from '../../ports/signing.ts';
import { BINDING_CHALLENGE_SECONDS, BOUND_COOKIE_GRACE_SECONDS } from './limits.ts';
import { areSecretsEqual, hashSecret, newSecret } from './random.ts';

/** Purpose of an authenticated value: challenge for registering a key, challenge for proving the key, or bound cookie. */
type Purpose = 'registration' | 'proof' | 'cookie';

/** Returns the device binding of a new session, or {} if device binding is off or the service is not reached over HTTPS. */
export function newDeviceBinding(
  settings: { readonly deviceBinding: string; readonly browserOrigin: string },
  at: number,
): BoundToDevice {
  if (settings.deviceBinding === 'off' || !settings.browserOrigin.startsWith('https:')) return {};
  return { binding: { secret: newSecret(), proofs: 0, provenAt: at } };
}

const authenticate = ({ secret }: DeviceBinding, purpose: Purpose, text: string): string =>
  createHmac('sha256', secret).update(`${purpose}\n${text}`).digest('base64url');

/** Creates a value with a MAC that only this service can compute. It contains the number of accepted proofs and its expiry. */
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

/** Returns true if a challenge was issued for this session, has not expired, and was not used in an accepted proof. */
export function isLiveChallenge(binding: DeviceBinding, purpose: Purpose, challenge: string, at: number) {
  const issued = readIssued(binding, purpose, challenge);
  return issued !== undefined && issued.proofs === binding.proofs && issued.expiresAt > at;
}

/**
 * Returns the name of a session's bound cookie. Each session has its own name, because a browser may have sessions of several
 * tenants, and may renew the bound cookie of an ended session until it learns of the end.
 */
export const boundCookieName = (sessionId: string): `__Host-${string}` =>
  `__Host-bound-${hashSecret(sessionId).slice(0, 16)}`;

export const newBoundCookie = (binding: DeviceBinding, expiresAt: number): string =>
  issue(binding, 'cookie', expiresAt);

/**
 * Returns true if a session needs no bound cookie, or if the given cookie is valid. Requests that were sent during a renewal
 * still contain the previous cookie, which therefore stays valid for some seconds. Older cookies are invalid.
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
 * Builds the ID of a device-bound session, as browsers send it. It contains a hash of the key, because clients know session IDs
 * and could otherwise end the session with a wrong proof.
 */
export const buildBoundSessionId = (sessionId: string, key: string): string =>
  `${sessionId}.${hashSecret(key)}`;

/** Extracts the session ID from the ID of a device-bound session. The caller must verify the rest of the ID, too. */
export const readBoundSessionId = (id: string): string => id.slice(0, Math.max(0, id.lastIndexOf('.')));
