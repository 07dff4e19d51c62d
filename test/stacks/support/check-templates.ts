import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type App, CfnResource, Stack, Validations } from 'aws-cdk-lib';
import { CfnPolicy } from 'aws-cdk-lib/aws-iam';
import { CfnLogGroup } from 'aws-cdk-lib/aws-logs';
import { AwsSolutionsChecks } from 'cdk-nag';
import { switches } from './switches.ts';
import { newApp, type Synthesized, synthesize } from './synthesize.ts';

// Checks faulty example templates and the variants named in the arguments. Prints a JSON object with the error message of the
// failed synthesis for each template, or null if the checks found nothing.

const [, , ...named] = process.argv;

function findings(work: (app: App) => void): string | null {
  const app = newApp(true);
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  try {
    work(app);
    return null;
  } catch (error) {
    return `${(error as Error).message}\n${reportIn(app.outdir)}`;
  }
}

function reportIn(folder: string): string {
  try {
    return readFileSync(join(folder, 'validation-report.json'), 'utf8');
  } catch {
    return 'no report';
  }
}

const planting = (plant: (stack: Stack) => void) => (app: App) => {
  plant(new Stack(app, 'Planted'));
  app.synth();
};

const logGroup = (stack: Stack, id: string, properties: Readonly<Record<string, unknown>>) =>
  new CfnResource(stack, id, { type: 'AWS::Logs::LogGroup', properties });

const everything = {
  policyName: 'all',
  policyDocument: {
    Version: '2012-10-17',
    Statement: [{ Effect: 'Allow', Action: 's3:GetObject', Resource: '*' }],
  },
  roles: ['role'],
};

type Checks = Readonly<Record<string, (app: App) => void>>;

/** Writes templates into the folder from which `.ci/cfn-lint.sh` reads. Their file names begin with the prefix. */
function keep(prefix: string, { templates }: Synthesized): void {
  const folder = join(import.meta.dirname, '../../../cdk.out');
  mkdirSync(folder, { recursive: true });
  for (const [stack, template] of Object.entries(templates))
    writeFileSync(join(folder, `${prefix}-${stack}.template.json`), JSON.stringify(template, null, 1));
}

// `npm run synth` checks the usual templates of all environments in the same way.
const variants: Checks = {
  'eu in a named account and the SES sandbox': (app) =>
    synthesize('eu', {
      app,
      env: {
        OTL_ACCOUNT_EU: '111122223333',
        OTL_MAIL_SANDBOX_EU: 'on',
        OTL_COPY_REGION_EU: 'eu-west-1',
        OTL_VAULT_LOCK_EU: 'compliance',
      },
    }),
  'eu with only the core, and with another qualifier': (app) =>
    keep('core', synthesize('eu', { app, env: { OTL_AREAS_EU: 'one-time', OTL_QUALIFIER_EU: 'corp1' } })),
  'eu with restored tables, without function URLs and gradual releases': (app) => {
    const change = { ...switches.restoredTables.change, functionUrls: 'off', canary: false } as const;
    keep('restored', synthesize('eu', { app, change }));
  },
};

const planted: Checks = {
  'a property that does not exist': planting((stack) => logGroup(stack, 'Log', { Retention: 7 })),
  'resources that wait for each other': planting((stack) => {
    logGroup(stack, 'One', { LogGroupName: { Ref: 'Other' } });
    logGroup(stack, 'Other', { LogGroupName: { Ref: 'One' } });
  }),
  'a policy for everything': planting((stack) => new CfnPolicy(stack, 'All', everything)),
  'a resource that is right': planting((stack) => new CfnLogGroup(stack, 'Log', { retentionInDays: 7 })),
};

const checks = [
  ...Object.entries(variants).filter(([name]) => named.includes(name)),
  ...Object.entries(planted),
];
const found = checks.map(([name, check]) => [name, findings(check)]);
process.stdout.write(JSON.stringify(Object.fromEntries(found)));
