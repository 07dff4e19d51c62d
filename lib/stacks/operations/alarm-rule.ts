import type { IMetric } from 'aws-cdk-lib/aws-cloudwatch';
import type { Environment } from '../environments/environment.ts';

export interface Watched {
  readonly environment: Environment;
  /** Names of the functions behind function URLs. */
  readonly urlFunctions: readonly string[];
  readonly tables: Readonly<Record<'directory' | 'people' | 'flows', string>>;
  /** Names of the queues. */
  readonly deadLetters: readonly string[];
}

export interface AlarmRule {
  readonly name: string;
  /** What it means. */
  readonly reason: string;
  /** What the person who was woken does first. */
  readonly first: string;
  /** The step of the runbook: a page in `lib/` and its heading. */
  readonly step: string;
  readonly metric: IMetric;
  readonly above?: number;
  readonly below?: number;
  /** So many of the last periods… */
  readonly breaching: number;
  /** …of so many. */
  readonly periods: number;
  /** Rolls new code back. */
  readonly rollsBack?: true;
}
