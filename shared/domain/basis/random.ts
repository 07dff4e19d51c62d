import { createHash, createHmac, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';

const ID_BYTES = 16;
const SECRET_BYTES = 32;
/** Length of an ID in base 36. 25 digits hold 128 bits, because 36^25 > 2^128 > 36^24. */
const ID_LENGTH = 25;

const idFrom = (bytes: Buffer): string =>
  BigInt(`0x${bytes.toString('hex')}`)
    .toString(36)
    .padStart(ID_LENGTH, '0');

/** Generates an opaque ID: 128 random bits in lower-case letters and digits. */
export const newId = (): string => idFrom(randomBytes(ID_BYTES));

/** Derives an ID from a 256-bit secret and a text. The same pair always yields the same ID. */
export const deriveId = (secret: string, text: string): string =>
  idFrom(createHmac('sha256', secret).update(text).digest().subarray(0, ID_BYTES));

const ID = /^[0-9a-z]{25}$/;

/** Returns true if a text has the form of an ID of this service. */
export const isId = (text: string): boolean => ID.test(text);

/** Generates a session ID of the form `<userId>.<random>`, so that erasing a user can find the session by its key. */
export function newSessionId(userId: string): string {
  return `${userId}.${newId()}`;
}

/** Returns the user ID that a session ID contains: everything before the last dot. */
export function parseUserId(sessionId: string): string {
  return sessionId.slice(0, Math.max(0, sessionId.lastIndexOf('.')));
}

/** Generates 256 random bits in base64url, for link codes, refresh tokens, request IDs and client secrets. */
export function newSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url');
}

/** Generates uniformly distributed random decimal digits. Leading zeros are possible (ASVS 6.5.3). */
export function newDigits(length: number): string {
  return Array.from({ length }, () => randomInt(10)).join('');
}

/** Computes the SHA-256 hash of a 256-bit secret, in base64url. Shorter secrets (typed codes) could be guessed from a hash. */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}

/** Compares two secrets in constant time, so that the time does not reveal where they differ. */
export function areSecretsEqual(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
