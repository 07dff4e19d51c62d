import { createHash, createHmac, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';

const ID_BYTES = 16;
const SECRET_BYTES = 32;
/** 36^25 > 2^128 > 36^24. */
const ID_LENGTH = 25;

const idFrom = (bytes: Buffer): string =>
  BigInt(`0x${bytes.toString('hex')}`)
    .toString(36)
    .padStart(ID_LENGTH, '0');

/** An opaque ID: 128 random bits in lower-case letters and digits. */
export const newId = (): string => idFrom(randomBytes(ID_BYTES));

/** Derives an ID from a secret of 256 bits and a text: the same pair always has the same ID. */
export const derivedId = (secret: string, text: string): string =>
  idFrom(createHmac('sha256', secret).update(text).digest().subarray(0, ID_BYTES));

const ID = /^[0-9a-z]{25}$/;

/** Whether a text can be an ID of this service. */
export const isId = (text: string): boolean => ID.test(text);

/** `<userId>.<random>`: erasing a user finds the session by its key. */
export function newSessionId(userId: string): string {
  return `${userId}.${newId()}`;
}

/** The user's ID is the session ID up to its last dot. */
export function userOfSession(sessionId: string): string {
  return sessionId.slice(0, Math.max(0, sessionId.lastIndexOf('.')));
}

/** 256 random bits in base64url, for link codes, refresh tokens, request IDs and client secrets. */
export function newSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url');
}

/** Uniform random decimal digits with leading zeros (ASVS 6.5.3). */
export function newDigits(length: number): string {
  return Array.from({ length }, () => randomInt(10)).join('');
}

/** SHA-256, base64url. Only for secrets of 256 bits: shorter ones, such as typed codes, could be guessed from it. */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}

/** Compares in a time that does not show the place of a difference. */
export function equalSecrets(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
