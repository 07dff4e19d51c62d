// Entry point of `cdk`. Creates the stacks of all environments, or only of the one named by `-c env=<name>`. An environment
// without configured domains gets no stacks, because its tokens and passkeys would be bound to an example domain permanently.
// `npm run synth` sets OTL_EXAMPLE_DOMAINS to include such environments, because it only checks the templates.

import { App, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { bundleForDeployment } from '../lib/build/bundle.ts';
import { environments } from '../lib/stacks/environments/environments.ts';
import { deployable } from '../lib/stacks/environments/operator-settings.ts';
import { OneTimeLogin } from '../lib/stacks/one-time-login.ts';

const app = new App();
Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
const only: unknown = app.node.tryGetContext('env');
await bundleForDeployment();
const asked = environments(typeof only === 'string' ? only : undefined);
const { ready, notes } =
  process.env.OTL_EXAMPLE_DOMAINS === 'true' ? { ready: asked, notes: [] } : deployable(asked);
for (const note of notes) console.error(note);
for (const { domain, hostedZone, mail, ...settings } of ready)
  new OneTimeLogin(app, settings.name, {
    ...settings,
    domainName: domain,
    mailDomain: mail.identity,
    mail,
    ...(hostedZone && { hostedZone: { hostedZoneId: hostedZone.id, zoneName: hostedZone.name } }),
  });
app.synth();
