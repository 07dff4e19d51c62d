import { accountChecks } from './account-checks.ts';
import { alertChecks } from './alert-checks.ts';
import type { Facts } from './facts.ts';
import { installationChecks } from './installation-checks.ts';
import { dnsChecks, mailChecks } from './mail-checks.ts';
import { resourceChecks } from './resource-checks.ts';
import { smsChecks } from './sms-checks.ts';
import { type Checks, type Finding, warn } from './verdict.ts';

const CHECKS = {
  ...accountChecks,
  ...mailChecks,
  ...dnsChecks,
  ...smsChecks,
  ...installationChecks,
  ...resourceChecks,
  ...alertChecks,
};

/** Names of the checks that apply to a local server. The other checks concern AWS, DNS and deployments. */
const LOCAL_CHECKS: ReadonlySet<string> = new Set([
  'signing-keys',
  'client-codes',
  'keys',
  'login-methods',
  'replaced-providers',
  'settings-off',
  'resource-uris',
]);

/** Runs all checks independently. A check that cannot run becomes a finding, and the other checks continue. */
export async function examineAll<Known>(checks: Checks<Known>, facts: Known): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for (const [check, verdictOf] of Object.entries(checks)) {
    const verdict = await verdictOf(facts).catch((error: unknown) => {
      const reason = error instanceof Error ? error.name : typeof error;
      return warn(`could not be checked (${reason})`, 'Check permissions and the network, then try again.');
    });
    findings.push({ check, ...verdict });
  }
  return findings;
}

export const examine = (facts: Facts): Promise<readonly Finding[]> => examineAll(CHECKS, facts);

export const examineLocal = (facts: Facts): Promise<readonly Finding[]> =>
  examineAll(Object.fromEntries(Object.entries(CHECKS).filter(([check]) => LOCAL_CHECKS.has(check))), facts);
