import { join } from 'node:path';
import { App, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { operations } from '../functions/operations.ts';
import { bundleFunctions } from '../lib/build/bundle.ts';
import { deploy } from '../lib/stacks/deployment.ts';
import { environments } from '../lib/stacks/environments/environments.ts';
import { missingDomains } from '../lib/stacks/environments/operator-settings.ts';

/**
 * The entry of `cdk`: all environments, or the one named by `-c env=<name>`. One without its domains has no stacks, for its
 * tokens and passkeys would name an example for ever. `npm run synth` only looks at the templates.
 */
const app = new App();
Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
const only: unknown = app.node.tryGetContext('env');
const bundles = await bundleFunctions(operations, join(import.meta.dirname, '../dist/functions'));
for (const environment of environments(typeof only === 'string' ? only : undefined)) {
  const missing = process.env.OTL_EXAMPLE_DOMAINS === 'true' ? undefined : missingDomains(environment);
  if (missing) console.error(missing);
  else deploy(app, environment, operations, bundles);
}
app.synth();
