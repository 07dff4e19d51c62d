// `otl preflight` shows what prevents a deployment, what the deployment creates, and what the resources cost.

import type { Finding } from '../../../lib/operator/doctor/verdict.ts';
import type { PlanLine } from '../../../lib/operator/preflight/plan.ts';
import { environmentNames } from '../../../lib/stacks/environments/environment.ts';
import { requireEnvironment, type TargetOptions } from '../target/service.ts';
import { type RefusedError, UsageError } from '../terminal/failure.ts';
import type { Column, Outcome } from '../terminal/outcome.ts';
import { toOutcome } from './findings.ts';

const columns: readonly Column<PlanLine>[] = [
  { heading: 'WILL BE CREATED', text: ({ what }) => what },
  { heading: 'COUNT', text: ({ count }) => String(count ?? '') },
  {
    heading: 'USD A MONTH',
    text: ({ usd_a_month, billed_by_use = '' }) => usd_a_month?.toFixed(2) ?? billed_by_use,
  },
];

export interface Preflight {
  readonly result: readonly Finding[];
  readonly findings: Outcome;
  readonly plan: readonly PlanLine[];
  readonly planned: Outcome;
  /** Error that makes the command exit with code 1. Undefined if nothing prevents the deployment. */
  readonly broken: RefusedError | undefined;
}

/**
 * Returns the name of the environment, from the argument or from `--env`.
 * @throws `UsageError` if no name is given, or if the two names differ.
 */
function requireName(argument: string | undefined, option: string | undefined): string {
  if (argument !== undefined && option !== undefined && argument !== option)
    throw new UsageError(`Name one environment: ${argument}, or --env ${option}.`);
  const name = argument ?? option;
  if (name !== undefined) return name;
  throw new UsageError(
    `Name the environment: otl preflight <name>. Environments: ${environmentNames.join(', ')}.`,
  );
}

export async function preflight(
  argument: string | undefined,
  { env, endpoint }: TargetOptions,
): Promise<Preflight> {
  if (endpoint !== undefined)
    throw new UsageError('A local server is not deployed, so --endpoint is not allowed here.');
  const environment = await requireEnvironment(requireName(argument, env));
  const [{ preflightFacts }, { examinePreflight }, { buildPlan, synthesizeTemplates }] = await Promise.all([
    import('../../../lib/operator/preflight/aws-facts.ts'),
    import('../../../lib/operator/preflight/examine.ts'),
    import('../../../lib/operator/preflight/plan.ts'),
  ]);
  const templates = synthesizeTemplates(environment);
  const result = await examinePreflight(preflightFacts(environment, templates));
  const { outcome, broken } = toOutcome(result);
  const plan = buildPlan(environment, templates);
  return {
    result,
    plan,
    broken,
    findings: outcome,
    planned: { list: { result: plan }, columns },
  };
}
