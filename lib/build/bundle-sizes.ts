import type { Bundles } from './bundle.ts';

/** 1 KB = 1000 bytes. The SDK is most of it. */
const BUDGET_BYTES = 480_000;
/** With code for mail, phone numbers or passkeys. */
const LARGE_BUDGET_BYTES = 600_000;

const LARGE_MODULES = /^node_modules\/(nodemailer|libphonenumber-js|@simplewebauthn)\//;

const kilobytes = (bytes: number): string => `${Math.ceil(bytes / 1000)} KB`;

/** Names the bundles above their budget. */
export function complaintsAbout(bundles: Bundles): string[] {
  return Object.entries(bundles).flatMap(([name, { bytes, modules }]) => {
    const budget = modules.some((path) => LARGE_MODULES.test(path)) ? LARGE_BUDGET_BYTES : BUDGET_BYTES;
    return bytes > budget ? [`${name}: ${kilobytes(bytes)} is above its budget of ${kilobytes(budget)}`] : [];
  });
}
