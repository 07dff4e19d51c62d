import type { Facts } from './facts.ts';

export interface Finding {
  readonly check: string;
  readonly status: 'ok' | 'warn' | 'fail';
  readonly detail: string;
  /** What to do about it. */
  readonly advice?: string;
  /** What to type; several are lines of their own. */
  readonly command?: string;
}

export type Verdict = Omit<Finding, 'check'>;
/** By their names. */
export type Checks<Known = Facts> = Readonly<Record<string, (facts: Known) => Promise<Verdict>>>;

/** This target does not have the fact, whatever the permissions. */
export class NotAvailable extends Error {}

export const ok = (detail: string): Verdict => ({ status: 'ok', detail });

const problem =
  (status: 'warn' | 'fail') =>
  (detail: string, advice: string, command?: string): Verdict => ({
    status,
    detail,
    advice,
    ...(command === undefined ? {} : { command }),
  });
export const warn = problem('warn');
export const fail = problem('fail');
