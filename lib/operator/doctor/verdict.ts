import type { Facts } from './facts.ts';

export interface Finding {
  readonly check: string;
  readonly status: 'ok' | 'warn' | 'fail';
  readonly detail: string;
  /** What to do about it. */
  readonly advice?: string;
}

export type Verdict = Omit<Finding, 'check'>;
export interface Check {
  readonly name: string;
  readonly examine: (facts: Facts) => Promise<Verdict>;
}

/** This target does not have the fact, whatever the permissions. */
export class NotAvailable extends Error {}

export const ok = (detail: string): Verdict => ({ status: 'ok', detail });
export const warn = (detail: string, advice: string): Verdict => ({ status: 'warn', detail, advice });
export const fail = (detail: string, advice: string): Verdict => ({ status: 'fail', detail, advice });
