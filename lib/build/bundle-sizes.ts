import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Bundle, Bundles } from './bundle.ts';

/** 1 KB = 1000 bytes. The SDK is most of it. */
const BUDGET_BYTES = 480_000;
/** Where mail, phone or passkey code is in. */
const LARGE_BUDGET_BYTES = 900_000;
/** A bundle that grew by more than this since it was recorded wants a look, and a new record. */
export const UNNOTICED_GROWTH = 0.05;

const LARGE_MODULES = /^node_modules\/(nodemailer|libphonenumber-js|@simplewebauthn)\//;

export const SIZES_FILE = join(import.meta.dirname, 'bundle-sizes.json');

/** Bytes by entry, as they were when somebody looked at them last. */
export const recordedSizes = (): Readonly<Record<string, number>> =>
  JSON.parse(readFileSync(SIZES_FILE, 'utf8')) as Record<string, number>;

const kilobytes = (bytes: number): string => `${Math.ceil(bytes / 1000)} KB`;

function complaintAbout(entry: string, { bytes, modules }: Bundle, recorded: number | undefined): string[] {
  const large = modules.some((path) => LARGE_MODULES.test(path));
  const budget = large ? LARGE_BUDGET_BYTES : BUDGET_BYTES;
  const complaints: string[] = [];
  if (bytes > budget)
    complaints.push(`${entry}: ${kilobytes(bytes)} is above its budget of ${kilobytes(budget)}`);
  if (recorded === undefined) complaints.push(`${entry}: ${kilobytes(bytes)}, not recorded`);
  else if (bytes > recorded * (1 + UNNOTICED_GROWTH))
    complaints.push(`${entry}: ${kilobytes(bytes)}, recorded were ${kilobytes(recorded)}`);
  return complaints;
}

/** What is wrong with the sizes of bundles; nothing, when the list is empty. */
export function complaintsAbout(bundles: Bundles, recorded: Readonly<Record<string, number>>): string[] {
  const gone = Object.keys(recorded).filter((entry) => !(entry in bundles));
  return [
    ...Object.entries(bundles).flatMap(([entry, bundle]) => complaintAbout(entry, bundle, recorded[entry])),
    ...gone.map((entry) => `${entry}: recorded, but there is no such bundle`),
  ];
}
