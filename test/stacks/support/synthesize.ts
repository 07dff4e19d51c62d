import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App, Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { operations } from '../../../functions/operations.ts';
import type { OperationTable } from '../../../lib/build/bundle-folders.ts';
import { emptyBundles } from '../../../lib/operator/preflight/plan.ts';
import { deploy } from '../../../lib/stacks/deployment.ts';
import type { Environment } from '../../../lib/stacks/environments/environment.ts';
import { environments } from '../../../lib/stacks/environments/environments.ts';

const root = join(import.meta.dirname, '../../..');
const { context } = JSON.parse(readFileSync(join(root, 'cdk.json'), 'utf8')) as {
  readonly context: Record<string, unknown>;
};

const scratch = mkdtempSync(join(tmpdir(), 'otl-synth-'));
process.once('exit', () => rmSync(scratch, { recursive: true, force: true }));

export interface Resource {
  readonly Type: string;
  readonly Properties?: Readonly<Record<string, unknown>>;
  readonly DependsOn?: string | readonly string[];
  readonly DeletionPolicy?: string;
  readonly UpdateReplacePolicy?: string;
}

export interface StackTemplate {
  readonly Resources: Readonly<Record<string, Resource>>;
  readonly Outputs?: Readonly<Record<string, { readonly Value: unknown }>>;
}

export interface SynthesizeOptions {
  readonly table?: OperationTable;
  readonly app?: App;
  /** Settings that differ from the environment's settings. */
  readonly change?: Partial<Environment>;
  /** Environment variables with the accounts of the environments. */
  readonly env?: NodeJS.ProcessEnv;
}

export interface Synthesized {
  /** Templates by stack name. */
  readonly templates: Readonly<Record<string, StackTemplate>>;
  /** Names of the stacks that have deletion protection. */
  readonly protected: readonly string[];
  /** Region of each stack, and the stacks that must be deployed before it. */
  readonly stacks: Readonly<Record<string, { readonly region: string; readonly after: readonly string[] }>>;
}

/**
 * Creates a CDK app with the settings of `cdk.json`. If `checked` is true, synthesizing the app also validates the templates
 * against the CloudFormation schemas, as `cdk` does. The validation is slow, so only `check-templates.ts` uses it.
 */
export const newApp = (checked = false): App =>
  new App({
    context,
    outdir: mkdtempSync(join(scratch, 'app-')),
    builtinCloudFormationValidation: checked,
  });

/**
 * Synthesizes the templates of one environment. Throws if the checks of `app` find anything. Tests call `synthesized`
 * instead, because importing this file loads CDK, which is slow.
 */
export function synthesize(
  name: string,
  { table = operations, app = newApp(), change = {}, env = {} }: SynthesizeOptions = {},
): Synthesized {
  const [found] = environments(name, env);
  if (!found) throw new Error(`no environment ${name}`);
  deploy(app, { ...found, ...change }, table, emptyBundles(table, scratch));
  const stacks = app.node.findAll().filter((construct) => Stack.isStack(construct));
  const templates = stacks.map((stack) => [stack.stackName, Template.fromStack(stack).toJSON()]);
  return {
    templates: Object.fromEntries(templates),
    protected: stacks.flatMap((stack) => (stack.terminationProtection ? stack.stackName : [])),
    stacks: Object.fromEntries(
      stacks.map(({ stackName, region, dependencies }) => [
        stackName,
        { region, after: dependencies.map((stack) => stack.stackName) },
      ]),
    ),
  };
}
