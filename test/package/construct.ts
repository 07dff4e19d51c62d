import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import cdk from '../../cdk.json' with { type: 'json' };
import packageJson from '../../package.json' with { type: 'json' };
import { ROOT } from '../pages/support/markdown.ts';

// Installs the packed package in an empty folder, where a CDK application deploys the service with the construct, and compares
// its templates with those of this repository for the same settings.

/** Context that `cdk` sets by default. The templates of the construct must not depend on it. */
const CLI_CONTEXT = { 'aws:cdk:version-reporting': true, 'aws:cdk:enable-path-metadata': true };

/** Environment variables with the settings of `cdk-app.mjs`. */
const SETTINGS = {
  OTL_DOMAIN_EU: 'login.example.org',
  OTL_MAIL_DOMAIN_EU: 'example.org',
  OTL_REGION_SANDBOX: 'eu-west-1',
  OTL_DOMAIN_SANDBOX: 'login.example.net',
  OTL_MAIL_DOMAIN_SANDBOX: 'example.net',
  OTL_ZONE_SANDBOX: 'Z0123456789ABC/example.net',
  OTL_ALARM_MAIL_SANDBOX: 'ops@example.net',
  OTL_AREAS_SANDBOX: 'code-based',
  OTL_ACCOUNT_US: '111122223333',
  OTL_DOMAIN_US: 'login.shop.test',
  OTL_MAIL_DOMAIN_US: 'shop.test',
  OTL_MAIL_SANDBOX_US: 'on',
  OTL_PROTECTION_US: 'on',
};

const INVALID = `import { App } from 'aws-cdk-lib';
import { OneTimeLogin } from 'one-time-login/cdk';
const rejects = (props, message) => {
  const all = { name: 'eu', domainName: 'login.example.org', mailDomain: 'example.org', ...props };
  try { new OneTimeLogin(new App(), 'Login', all); } catch (error) { if (error.message.includes(message)) return; throw error; }
  throw new Error('accepted: ' + JSON.stringify(props));
};
rejects({ domainName: 'https://login.example.org' }, 'domainName is not a host name');
rejects({ name: 'moon' }, 'There is no environment "moon"');
rejects({ areas: ['unknown'] }, 'There is no area unknown');
rejects({ region: 'Frankfurt' }, 'region is not an AWS region');`;

const COMMON_JS = `const { OneTimeLogin } = require('one-time-login/cdk');
if (typeof OneTimeLogin !== 'function') throw new Error('no construct');`;

const TYPES = `import { App, CfnOutput, Stack } from 'aws-cdk-lib';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { HostedZone } from 'aws-cdk-lib/aws-route53';
import { OneTimeLogin, type OneTimeLoginProps } from 'one-time-login/cdk';
const stack = new Stack(new App(), 'Mine');
const hostedZone = HostedZone.fromHostedZoneAttributes(stack, 'Zone', { hostedZoneId: 'Z01', zoneName: 'example.org' });
const props: OneTimeLoginProps = { name: 'eu', domainName: 'login.example.org', mailDomain: 'example.org', hostedZone };
const login = new OneTimeLogin(stack, 'Login', { ...props, areas: ['webhooks'] });
login.alarmTopic.addSubscription(new EmailSubscription('ops@example.org'));
new CfnOutput(stack, 'Issuer', { value: login.issuer + login.baseUrl + login.tableNames.people });
// @ts-expect-error: the service area does not exist
props satisfies { areas: ['unknown'] };`;

type Template = Readonly<Record<string, unknown>>;

/** Reads the templates of the service in a cloud assembly and in its stages, by stack name. */
function readTemplates(folder: string): ReadonlyMap<string, Template> {
  const read = (file: string) => JSON.parse(readFileSync(join(folder, file), 'utf8'));
  const artifacts = Object.entries<{
    readonly type: string;
    readonly properties: { readonly templateFile: string; readonly stackName?: string };
  }>(read('manifest.json').artifacts);
  const own = artifacts
    .filter(([, { type }]) => type === 'aws:cloudformation:stack')
    .map(([id, { properties }]) => [properties.stackName ?? id, read(properties.templateFile)] as const)
    .filter(([name]) => name.startsWith('otl-'));
  const stages = readdirSync(folder).filter((name) => name.startsWith('assembly-'));
  return new Map([...own, ...stages.flatMap((stage) => [...readTemplates(join(folder, stage))])]);
}

/** Removes the template parts that depend on construct paths: path metadata, Name tags and IDs of event rule permissions. */
const withoutPaths = (template: Template): unknown =>
  JSON.parse(JSON.stringify(template).replace(/AllowEventRule\w+/g, 'AllowEventRule'), (key, value) => {
    if (key === 'Metadata') return undefined;
    if (key === 'Tags' && Array.isArray(value)) return value.filter((tag) => tag.Key !== 'Name');
    return value;
  });

/** Compares the construct of the packed package with the deployment of this repository. */
export function compareConstruct(tarball: string): void {
  const folder = mkdtempSync(join(tmpdir(), 'otl-construct-'));
  const run = (args: readonly string[], env: NodeJS.ProcessEnv = {}) =>
    execFileSync(process.execPath, args, {
      cwd: folder,
      env: { ...process.env, NODE_OPTIONS: '', ...env },
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    });
  try {
    writeFileSync(join(folder, 'package.json'), '{"type":"module","private":true}');
    const { 'aws-cdk-lib': library, constructs } = packageJson.devDependencies;
    const packages = [tarball, `aws-cdk-lib@${library}`, `constructs@${constructs}`];
    const options = ['--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
    execFileSync('npm', ['install', ...options, ...packages], { cwd: folder, stdio: 'inherit' });
    for (const name of ['esbuild', '@esbuild'])
      rmSync(join(folder, 'node_modules', name), { recursive: true });
    for (const [name, code] of [
      ['invalid.mjs', INVALID],
      ['common.cjs', COMMON_JS],
    ] as const) {
      writeFileSync(join(folder, name), code);
      run([name]);
    }
    copyFileSync(join(import.meta.dirname, 'cdk-app.mjs'), join(folder, 'app.mjs'));
    const elsewhere = join(folder, 'cdk.out');
    const printed = run(['app.mjs'], {
      CDK_OUTDIR: elsewhere,
      CDK_CONTEXT_JSON: JSON.stringify(CLI_CONTEXT),
    });
    const tables = ['otl-eu-directory', 'otl-eu-people', 'otl-eu-flows'];
    const base = 'https://login.example.org/cis';
    assert.deepEqual(JSON.parse(printed), [base, `${base}/oidc`, tables]);
    const here = join(folder, 'repository');
    const context = { ...cdk.context, 'aws:cdk:version-reporting': cdk.versionReporting };
    const env = { ...SETTINGS, CDK_OUTDIR: here, CDK_CONTEXT_JSON: JSON.stringify(context) };
    run([join(ROOT, 'bin/app.ts')], env);
    const [made, expected] = [elsewhere, here].map(readTemplates);
    assert.deepEqual([...(made?.keys() ?? [])].sort(), [...(expected?.keys() ?? [])].sort());
    for (const [name, template] of expected ?? [])
      assert.deepEqual(withoutPaths(made?.get(name) ?? {}), withoutPaths(template), name);
    console.log(`the construct made the same ${expected?.size} templates as this repository`);
    writeFileSync(join(folder, 'types.mts'), TYPES);
    const compiler = join(ROOT, 'node_modules/.bin/tsc');
    const flags = '--ignoreConfig --noEmit --strict --module nodenext --target esnext'.split(' ');
    execFileSync(compiler, [...flags, '--types', '', 'types.mts'], { cwd: folder, stdio: 'inherit' });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
