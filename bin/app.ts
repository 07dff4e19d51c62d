import { join } from 'node:path';
import { App, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { operations } from '../functions/operations.ts';
import { bundleFunctions } from '../lib/build/bundle.ts';
import { deploy } from '../lib/stacks/deployment.ts';
import { environments } from '../lib/stacks/environments/environments.ts';
import { deployable } from '../lib/stacks/environments/operator-settings.ts';

/**
 * The entry of `cdk`: all environments, or the one named by `-c env=<name>`. One without its domains has no stacks, for its
 * tokens and passkeys would name an example for ever. `npm run synth` only looks at the templates.
 */
const app = new App();
Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
const only: unknown = app.node.tryGetContext('env');
const bundles = await bundleFunctions(operations, join(import.meta.dirname, '../dist/functions'));
const asked = environments(typeof only === 'string' ? only : undefined);
const { ready, notes } =
  process.env.OTL_EXAMPLE_DOMAINS === 'true' ? { ready: asked, notes: [] } : deployable(asked);
for (const note of notes) console.error(note);
for (const environment of ready) deploy(app, environment, operations, bundles);
app.synth();
