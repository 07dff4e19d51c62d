import { seal, unseal } from '../basis/sealing.ts';

/** Personal data of a link or code, beside the user's ID. */
interface Traces {
  readonly deliveredToHash?: string;
  readonly deviceId?: string;
  readonly userAgent?: string;
  readonly ipAddress?: string;
}

const NAMES = ['deliveredToHash', 'deviceId', 'userAgent', 'ipAddress'] as const;
const purposeOf = (name: string) => `trace:${name}`;

function changeEach<T extends Traces>(record: T, change: (name: string, value: string) => string): T {
  const entries = NAMES.flatMap((name) => {
    const value = record[name];
    return value === undefined ? [] : [[name, change(name, value)] as const];
  });
  return { ...record, ...Object.fromEntries(entries) };
}

/**
 * Erasing a user cannot find a record under the hash of a secret, because only the user holds the secret. So personal data in
 * it is sealed under that secret.
 */
export const sealTraces = <T extends Traces>(secret: string, record: T): T =>
  changeEach(record, (name, value) => seal(secret, purposeOf(name), value));

/** Fields sealed under another secret stay sealed: they equal no address. */
export const openTraces = <T extends Traces>(secret: string, record: T): T =>
  changeEach(record, (name, value) => unseal(secret, purposeOf(name), value) ?? value);
