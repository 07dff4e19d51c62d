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
 * Encrypts the personal data of a record. The key is derived from the secret whose hash is the key of the record. Only the user
 * has this secret, so erasing a user cannot find the record, but the personal data in it is unreadable.
 */
export const sealTraces = <T extends Traces>(secret: string, record: T): T =>
  changeEach(record, (name, value) => seal(secret, toPurpose(name), value));

/** Decrypts the personal data of a record. Fields encrypted under another secret stay encrypted and match no address. */
export const unsealTraces = <T extends Traces>(secret: string, record: T): T =>
  changeEach(record, (name, value) => unseal(secret, toPurpose(name), value) ?? value);
