import { seal, unseal } from '../basis/sealing.ts';

/** Personal data in the record of a link or code, in addition to the user's ID. */
interface Traces {
  readonly deliveredToHash?: string;
  readonly deviceId?: string;
  readonly userAgent?: string;
  readonly ipAddress?: string;
}

const NAMES = ['deliveredToHash', 'deviceId', 'userAgent', 'ipAddress'] as const;
const toPurpose = (name: string) => `trace:${name}`;

function changeEach<T extends Traces>(record: T, change: (name: string, value: string) => string): T {
  const entries = NAMES.flatMap((name) => {
    const value = record[name];
    return value === undefined ? [] : [[name, change(name, value)] as const];
  });
  return { ...record, ...Object.fromEntries(entries) };
}

/**
 * Encrypts the personal data of a record with the secret under whose hash the record is stored. Only the user has the secret,
 * so the erasure of a user cannot find such records. Encryption makes the personal data that remains in them unreadable.
 */
export const sealTraces = <T extends Traces>(secret: string, record: T): T =>
  changeEach(record, (name, value) => seal(secret, toPurpose(name), value));

/** Decrypts the personal data of a record. Fields encrypted under another secret stay encrypted and match no address. */
export const unsealTraces = <T extends Traces>(secret: string, record: T): T =>
  changeEach(record, (name, value) => unseal(secret, toPurpose(name), value) ?? value);
