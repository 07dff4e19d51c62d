import type { Facts } from './facts.ts';

export interface Finding {
  readonly check: string;
  readonly status: 'ok' | 'warn' | 'fail';
  readonly detail: string;
  /** Sentence that tells the operator what to do. */
  readonly advice?: string;
  /** Commands that the operator should run, one per line. */
  readonly command?: string;
}

export type Verdict = Omit<Finding, 'check'>;
/** Checks, keyed by name. Each check reads the facts that it needs. */
export type Checks<Known = Facts> = Readonly<Record<string, (facts: Known) => Promise<Verdict>>>;

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
