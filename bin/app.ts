// Entry point of `cdk`. Creates the stacks of all environments, or only of the one named by `-c env=<name>`. An environment
// without configured domains gets no stacks, because its tokens and passkeys would be bound to an example domain permanently. `npm
// run synth` sets OTL_EXAMPLE_DOMAINS to include such environments, because it only checks the templates.

import { join } from 'node:path';
import { App, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { operations } from '../functions/operations.ts';
import { bundleFunctions, limitDocument } from '../lib/build/bundle.ts';
import { deploy } from '../lib/stacks/deployment.ts';
import { environments } from '../lib/stacks/environments/environments.ts';
import { deployable } from '../lib/stacks/environments/operator-settings.ts';

const DIST = join(import.meta.dirname, '../dist');

const app = new App();
Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
const only: unknown = app.node.tryGetContext('env');
const bundles = await bundleFunctions(operations, join(DIST, 'functions'));
const asked = environments(typeof only === 'string' ? only : undefined);
const { ready, notes } =
  process.env.OTL_EXAMPLE_DOMAINS === 'true' ? { ready: asked, notes: [] } : deployable(asked);
for (const note of notes) console.error(note);
for (const environment of ready) {
  const { areas = 'all', name } = environment;
  const own =
    areas === 'all' ? bundles : await limitDocument(bundles, areas, join(DIST, `functions-${name}`));
  deploy(app, environment, operations, own);
}
app.synth();
