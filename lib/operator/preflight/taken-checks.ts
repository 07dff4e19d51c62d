import { type Checks, fail, ok } from '../doctor/verdict.ts';
import type { PreflightFacts, TakenKind } from './facts.ts';

interface Kind {
  readonly advice: string;
  /** Removes one of them, or takes it into the stack. */
  readonly command: (name: string, facts: PreflightFacts) => string;
}

const stackOf = ({ environment }: PreflightFacts, stack: string): string =>
  `otl-${environment.name}-${stack}`;

/** How each is taken into a stack or removed ("Import AWS resources into a CloudFormation stack"). */
const KINDS: Readonly<Record<TakenKind, Kind>> = {
  tables: {
    advice: 'Take it into the stack with its data by cdk import, or delete it.',
    command: (name, facts) =>
      `npx cdk import ${stackOf(facts, 'data')}\naws dynamodb delete-table --table-name ${name}`,
  },
  'key-aliases': {
    advice: 'The deployment makes the key anew. Delete the alias; what its key has encrypted needs the key.',
    command: (name) => `aws kms delete-alias --alias-name ${name}`,
  },
  'mail-identity': {
    advice: 'Take it into the stack by cdk import, or delete it: its DKIM records change then.',
    command: (name, facts) =>
      `npx cdk import ${stackOf(facts, 'mail')}\naws sesv2 delete-email-identity --email-identity ${name}`,
  },
  'log-groups': {
    advice: 'Export what you need of it, and delete it.',
    command: (name) => `aws logs delete-log-group --log-group-name ${name}`,
  },
  vaults: {
    advice:
      'It has the copies of an environment that was removed. Take it into the stack by cdk import, or delete it once its copies have ended.',
    command: (name, facts) =>
      `npx cdk import ${stackOf(facts, 'backup')}\naws backup delete-backup-vault --backup-vault-name ${name}`,
  },
  functions: {
    advice: 'It holds no data: delete it.',
    command: (name) => `aws lambda delete-function --function-name ${name}`,
  },
  host: {
    advice:
      'CloudFront gives a name to one distribution. Take it off the other one, or move it as "Loss of a region" in lib/RUNBOOK.md says.',
    command: (name) => `aws cloudfront get-distribution-config --id ${name.split(' ').at(-1)}`,
  },
  records: {
    advice: 'The deployment makes it anew. Delete it shortly before, in the console of Route 53.',
    command: (_, { environment }) =>
      `aws route53 list-resource-record-sets --hosted-zone-id ${environment.hostedZone?.id ?? ''}`,
  },
};

/** What a deployment would stumble over: a name that is there already and belongs to no stack of the environment. */
export const takenChecks: Checks<PreflightFacts> = Object.fromEntries(
  (Object.entries(KINDS) as [TakenKind, Kind][]).map(([kind, { advice, command }]) => [
    kind,
    async (facts) => {
      const found = await facts.taken(kind);
      if (found.length === 0) return ok('none is there that the deployment has not made');
      return fail(
        `there already, and made by no stack of the environment: ${found.join(', ')}`,
        advice,
        [...new Set(found.flatMap((each) => command(each, facts).split('\n')))].join('\n'),
      );
    },
  ]),
);
