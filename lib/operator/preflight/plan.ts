import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { backgroundNames } from '../../../functions/background.ts';
import { consoleOperations, operations } from '../../../functions/operations.ts';
import type { Bundles, OperationTable } from '../../build/bundle-folders.ts';
import { deploy } from '../../stacks/deployment.ts';
import type { Environment } from '../../stacks/environments/environment.ts';
import { ES256_KEY, fixedLines, SYNTHETIC_LOGIN, sumTotals, type Templates } from './fixed-sum.ts';

/** Line of the deployment plan: a resource type with its number and price, or a setting that AWS bills by use. */
export interface PlanLine {
  readonly what: string;
  /** Number of resources; absent in the line with the sum. */
  readonly count?: number;
  /** Price in US dollars a month without any login, at list prices of us-east-1. Absent if AWS charges only for usage. */
  readonly usd_a_month?: number;
  /** Usage that AWS bills if a setting is on, with its list price in US dollars if the price is fixed. */
  readonly billed_by_use?: string;
}

/** Settings that AWS bills by use, with prices in US dollars at list prices of us-east-1 (sources: lib/SIZING.md). */
const BILLED_BY_USE: readonly {
  readonly what: string;
  readonly billed: string;
  readonly isOn: (environment: Environment) => boolean;
}[] = [
  {
    what: 'HTTP API instead of function URLs',
    billed: '1.00 per million browser requests',
    isOn: ({ functionUrls = 'on' }) => functionUrls !== 'on',
  },
  {
    what: 'Report lines',
    billed: '0.50 per million function calls',
    isOn: ({ reportLines = false }) => reportLines,
  },
  {
    what: 'Second copy of backups',
    billed: 'storage and transfer',
    isOn: ({ copyRegion }) => copyRegion !== undefined,
  },
  {
    what: 'Pool of End User Messaging',
    billed: 'rent of its phone numbers',
    isOn: ({ sms }) => sms.pool !== undefined,
  },
];

const COUNTED: Readonly<Record<string, string>> = {
  Functions: 'AWS::Lambda::Function',
  Tables: 'AWS::DynamoDB::GlobalTable',
  Queues: 'AWS::SQS::Queue',
  'Log groups': 'AWS::Logs::LogGroup',
};

/** Creates an empty bundle and uses it for all functions, so that templates can be synthesised without bundling. */
export function emptyBundles(table: OperationTable, folder: string): Bundles {
  const dir = join(folder, 'bundle');
  mkdirSync(dir, { recursive: true });
  writeFileSync(join(dir, 'index.cjs'), '');
  const rows = Object.values({ ...table, ...consoleOperations });
  const entries = [...rows.map((row) => row.event), ...backgroundNames];
  return Object.fromEntries(entries.map((entry) => [entry, { dir, bytes: 0, modules: [] }]));
}

/** Synthesises the templates of a deployment with empty functions. */
export function synthesizeTemplates(environment: Environment): Templates {
  const folder = mkdtempSync(join(tmpdir(), 'otl-plan-'));
  try {
    const { context } = JSON.parse(readFileSync(join(import.meta.dirname, '../../../cdk.json'), 'utf8')) as {
      readonly context: Record<string, unknown>;
    };
    const app = new App({ context, outdir: join(folder, 'out'), builtinCloudFormationValidation: false });
    deploy(app, environment, operations, emptyBundles(operations, folder));
    return Object.fromEntries(
      app.synth().stacks.map(({ stackName, template }) => [stackName, template as Templates[string]]),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Returns the resources that a deployment creates, with their monthly price before the first login, and the settings that AWS
 * bills by use.
 */
export function buildPlan(environment: Environment, templates: Templates): readonly PlanLine[] {
  const types = Object.values(templates).flatMap(({ Resources }) =>
    Object.values(Resources).map(({ Type }) => Type),
  );
  const { es256, signingModes, syntheticLogin } = environment;
  const fixed = [
    ...fixedLines(templates),
    ...(es256 && signingModes[0] === 'kms' ? [ES256_KEY] : []),
    ...(syntheticLogin ? [SYNTHETIC_LOGIN] : []),
  ];
  return [
    { what: 'Stacks', count: Object.keys(templates).length },
    { what: 'Resources', count: types.length },
    ...Object.entries(COUNTED).map(([what, type]) => ({
      what,
      count: types.filter((each) => each === type).length,
    })),
    ...fixed.map(({ what, count, total }) => ({ what, count, usd_a_month: cents(total) })),
    { what: 'Sum', usd_a_month: cents(sumTotals(fixed)) },
    ...BILLED_BY_USE.filter(({ isOn }) => isOn(environment)).map(({ what, billed }) => ({
      what,
      billed_by_use: billed,
    })),
  ];
}

const cents = (usd: number): number => Math.round(usd * 100) / 100;
