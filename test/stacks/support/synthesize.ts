import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { operations } from '../../../functions/operations.ts';
import { type Bundles, type OperationTable, OTHER_FUNCTIONS } from '../../../lib/bundle.ts';
import { type Deployment, deploy } from '../../../lib/deployment.ts';
import { type Environment, environments } from '../../../lib/environments.ts';

const root = join(import.meta.dirname, '../../..');
const { context } = JSON.parse(readFileSync(join(root, 'cdk.json'), 'utf8')) as {
  readonly context: Record<string, unknown>;
};

export interface Resource {
  readonly Type: string;
  readonly Properties?: Readonly<Record<string, unknown>>;
  readonly DependsOn?: string | readonly string[];
  readonly DeletionPolicy?: string;
}

export interface StackTemplate {
  readonly Resources: Readonly<Record<string, Resource>>;
  readonly Outputs?: Readonly<Record<string, { readonly Value: unknown }>>;
}

export interface SynthesizeOptions {
  readonly table?: OperationTable;
  readonly app?: App;
  /** Other settings than the environment has. */
  readonly change?: Partial<Environment>;
  /** Where the environments find their accounts. */
  readonly env?: NodeJS.ProcessEnv;
}

export interface Synthesized {
  readonly deployment: Deployment;
  /** By stack name. */
  readonly templates: Readonly<Record<string, StackTemplate>>;
}

/** Stands for the bundle of every function, so that nothing is bundled. */
export function emptyBundles(table: OperationTable): Bundles {
  const dir = mkdtempSync(join(tmpdir(), 'otl-bundle-'));
  writeFileSync(join(dir, 'index.cjs'), '');
  const entries = [...Object.values(table).map((row) => row.entry), ...OTHER_FUNCTIONS];
  return Object.fromEntries(entries.map((entry) => [entry, { dir, bytes: 0, modules: [] }]));
}

/** An app with the settings of `cdk.json`. */
export const newApp = (): App => new App({ context, outdir: mkdtempSync(join(tmpdir(), 'otl-synth-')) });

/** The templates of one environment; throws what the checks of `app` find in them. */
export function synthesize(
  name: string,
  { table = operations, app = newApp(), change = {}, env = {} }: SynthesizeOptions = {},
): Synthesized {
  const [found] = environments(name, env);
  if (!found) throw new Error(`no environment ${name}`);
  const environment = { ...found, ...change };
  const deployment = deploy(app, environment, table, emptyBundles(table));
  const stacks = [deployment.data, deployment.api, deployment.mailEvents, ...deployment.functions.values()];
  const templates = stacks.map((stack) => [stack.stackName, Template.fromStack(stack).toJSON()]);
  return { deployment, templates: Object.fromEntries(templates) };
}
