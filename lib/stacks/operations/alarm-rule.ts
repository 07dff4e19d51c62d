import type { IMetric } from 'aws-cdk-lib/aws-cloudwatch';
import type { Environment } from '../environments/environment.ts';

export interface AlarmContext {
  readonly environment: Environment;
  /** Names of the functions that are called through function URLs. */
  readonly urlFunctions: readonly string[];
  readonly tables: Readonly<Record<'directory' | 'people' | 'flows', string>>;
  /** Names of the dead-letter queues. */
  readonly deadLetters: readonly string[];
}

export interface AlarmRule {
  readonly name: string;
  /** Explanation of the alarm for the person on call. */
  readonly reason: string;
  /** First step that the person on call should take. */
  readonly firstStep: string;
  /** Section of the runbook: a page in `lib/` and its heading. */
  readonly runbookSection: string;
  readonly metric: IMetric;
  readonly above?: number;
  readonly below?: number;
  /**
   * Number of standard deviations below the metric's usual value at which the alarm triggers. CloudWatch learns the usual value
   * by hour and weekday, and it is never negative, so the alarm stays silent at hours that often have no data.
   */
  readonly deviationsBelow?: number;
  /** Number of periods beyond the threshold that trigger the alarm. */
  readonly breachingPeriods: number;
  /** Number of most recent periods that the alarm evaluates. */
  readonly periods: number;
  /** Effect of periods without data: the alarm keeps its state, or triggers. By default, the alarm returns to OK. */
  readonly withoutData?: 'keep' | 'trigger';
  /** True if the alarm triggers a rollback of new code. */
  readonly rollsBack?: true;
}
