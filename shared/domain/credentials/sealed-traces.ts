import { seal, unseal } from '../basis/sealing.ts';

/** What a link or a code to exchange tells of its person beside their ID. */
interface Traces {
  readonly deliveredToHash?: string;
  readonly deviceId?: string;
  readonly userAgent?: string;
  readonly ipAddress?: string;
}

const NAMES = ['deliveredToHash', 'deviceId', 'userAgent', 'ipAddress'] as const;
const purposeOf = (name: string) => `trace:${name}`;

function changed<T extends Traces>(record: T, change: (name: string, value: string) => string): T {
  const entries = NAMES.flatMap((name) => {
    const value = record[name];
    return value === undefined ? [] : [[name, change(name, value)] as const];
  });
  return { ...record, ...Object.fromEntries(entries) };
}

/**
 * A record that is filed under the hash of a secret cannot be found when its user is erased, for nobody but the person
 * holds the secret. So what it tells of them is sealed under that secret.
 */
export const sealTraces = <T extends Traces>(secret: string, record: T): T =>
  changed(record, (name, value) => seal(secret, purposeOf(name), value));

/** What another secret has sealed stays closed: no address compares equal to it. */
export const openTraces = <T extends Traces>(secret: string, record: T): T =>
  changed(record, (name, value) => unseal(secret, purposeOf(name), value) ?? value);
