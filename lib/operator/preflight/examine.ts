import { accountChecks } from '../doctor/account-checks.ts';
import { examineAll } from '../doctor/examine.ts';
import type { Finding } from '../doctor/verdict.ts';
import { firstChecks, preflightChecks } from './checks.ts';
import type { PreflightFacts } from './facts.ts';
import { takenChecks } from './taken-checks.ts';

/** What stands in the way of a deployment (`fail`), and what of logins after it (`warn`). */
export async function examinePreflight(facts: PreflightFacts): Promise<readonly Finding[]> {
  const first = await examineAll(firstChecks, facts);
  if (first.some(({ check, status }) => check === 'credentials' && status === 'fail')) return first;
  const own = await examineAll({ ...preflightChecks, ...takenChecks }, facts);
  // A sandbox or a small quota stops logins, and no deployment.
  const account = (await examineAll(accountChecks, facts)).map((finding) =>
    finding.status === 'fail' ? { ...finding, status: 'warn' as const } : finding,
  );
  return [...first, ...own, ...account];
}
