import { accountChecks } from '../doctor/account-checks.ts';
import { examineAll } from '../doctor/examine.ts';
import type { Finding } from '../doctor/verdict.ts';
import { firstChecks, preflightChecks } from './checks.ts';
import type { PreflightFacts } from './facts.ts';
import { existingNameChecks } from './taken-checks.ts';

/** Runs the checks before a deployment. A finding `fail` prevents the deployment, a finding `warn` only later logins. */
export async function examinePreflight(facts: PreflightFacts): Promise<readonly Finding[]> {
  const first = await examineAll(firstChecks, facts);
  if (first.some(({ check, status }) => check === 'credentials' && status === 'fail')) return first;
  const own = await examineAll({ ...preflightChecks, ...existingNameChecks }, facts);
  // Sandboxes and small quotas prevent logins but not the deployment.
  const account = (await examineAll(accountChecks, facts)).map((finding) =>
    finding.status === 'fail' ? { ...finding, status: 'warn' as const } : finding,
  );
  return [...first, ...own, ...account];
}
