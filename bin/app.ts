import { join } from 'node:path';
import { App, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { operations } from '../functions/operations.ts';
import { bundleFunctions } from '../lib/build/bundle.ts';
import { deploy } from '../lib/stacks/deployment.ts';
import { environments } from '../lib/stacks/environments/environments.ts';

/** The entry of `cdk`: all environments, or the one named by `-c env=<name>`. */
const app = new App();
Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
const only: unknown = app.node.tryGetContext('env');
const bundles = await bundleFunctions(operations, join(import.meta.dirname, '../dist'));
for (const environment of environments(typeof only === 'string' ? only : undefined))
  deploy(app, environment, operations, bundles);
app.synth();
