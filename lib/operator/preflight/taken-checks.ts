import { type Checks, fail, ok } from '../doctor/verdict.ts';
import type { ExistingKind, PreflightFacts } from './facts.ts';

interface Kind {
  readonly advice: string;
  /** Returns the commands that import an existing resource into the stack, or that delete it. */
  readonly command: (name: string, facts: PreflightFacts) => string;
}

const stackName = ({ environment }: PreflightFacts, stack: string): string =>
  `otl-${environment.name}-${stack}`;

/** Advice for each kind of existing resource ("Import AWS resources into a CloudFormation stack"). */
const KINDS: Readonly<Record<ExistingKind, Kind>> = {
  tables: {
    advice: 'Import it into the stack with its data (cdk import), or delete it.',
    command: (name, facts) =>
      `npx cdk import '**/${stackName(facts, 'data')}'\naws dynamodb delete-table --table-name ${name}`,
  },
  'key-aliases': {
    advice:
      'The deployment creates a new key. Delete the alias, but keep the key if it has encrypted data that you need.',
    command: (name) => `aws kms delete-alias --alias-name ${name}`,
  },
  'mail-identity': {
    advice: 'Import it into the stack (cdk import), or delete it. Deleting it changes its DKIM records.',
    command: (name, facts) =>
      `npx cdk import '**/${stackName(facts, 'mail')}'\naws sesv2 delete-email-identity --email-identity ${name}`,
  },
  'log-groups': {
    advice: 'Export what you need from it, then delete it.',
    command: (name) => `aws logs delete-log-group --log-group-name ${name}`,
  },
  vaults: {
    advice:
      'It has the copies of an environment that was removed. Import it into the stack (cdk import), or delete it once its copies have expired.',
    command: (name, facts) =>
      `npx cdk import '**/${stackName(facts, 'backup')}'\naws backup delete-backup-vault --backup-vault-name ${name}`,
  },
  functions: {
    advice: 'Delete it. It contains no data.',
    command: (name) => `aws lambda delete-function --function-name ${name}`,
  },
  host: {
    advice:
      'CloudFront allows a name on only one distribution. Remove it from the other one, or move it as described in lib/RUNBOOK.md, "Loss of a region".',
    command: (name) => `aws cloudfront get-distribution-config --id ${name.split(' ').at(-1)}`,
  },
  records: {
    advice:
      'The deployment creates this record. Delete the existing one shortly before, in the Route 53 console.',
    command: (_, { environment }) =>
      `aws route53 list-resource-record-sets --hosted-zone-id ${environment.hostedZone?.id ?? ''}`,
  },
};

/**
 * Checks that no resource outside of the stacks has a name that the deployment needs, because the deployment would then fail.
 */
export const existingNameChecks: Checks<PreflightFacts> = Object.fromEntries(
  (Object.entries(KINDS) as [ExistingKind, Kind][]).map(([kind, { advice, command }]) => [
    kind,
    async (facts) => {
      const found = await facts.existing(kind);
      if (found.length === 0) return ok('none exists outside of the stacks of the environment');
      return fail(
        `already exists outside of the stacks of the environment: ${found.join(', ')}`,
        advice,
        [...new Set(found.flatMap((each) => command(each, facts).split('\n')))].join('\n'),
      );
    },
  ]),
);
