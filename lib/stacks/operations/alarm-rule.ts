import type { IMetric } from 'aws-cdk-lib/aws-cloudwatch';
import type { Environment } from '../environments/environment.ts';

export interface AlarmContext {
  readonly environment: Environment;
  /** Names of the functions behind function URLs. */
  readonly urlFunctions: readonly string[];
  readonly tables: Readonly<Record<'directory' | 'people' | 'flows', string>>;
  /** Names of the dead-letter queues. */
  readonly deadLetters: readonly string[];
}

export interface AlarmRule {
  readonly name: string;
  /** Meaning of the alarm, for the person on call. */
  readonly reason: string;
  /** First step for the person on call. */
  readonly firstStep: string;
  /** Section of the runbook: a page in `lib/` and its heading. */
  readonly runbookSection: string;
  readonly metric: IMetric;
  readonly above?: number;
  readonly below?: number;
  /** Number of breaching periods that trigger the alarm. */
  readonly breachingPeriods: number;
  /** Number of latest periods that are evaluated. */
  readonly periods: number;
  /** True if the alarm rolls back new code. */
  readonly rollsBack?: true;
}
