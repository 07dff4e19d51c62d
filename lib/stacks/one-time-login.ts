// Module `one-time-login/cdk` of the npm package.

import { join } from 'node:path';
import { BOOTSTRAP_QUALIFIER_CONTEXT, Stack, Stage, Token } from 'aws-cdk-lib';
import type { HostedZoneAttributes } from 'aws-cdk-lib/aws-route53';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import cdk from '../../cdk.json' with { type: 'json' };
import { chooseAreas } from '../../functions/areas.ts';
import { operations } from '../../functions/operations.ts';
import { omitUndefined, type WithUndefined } from '../../shared/domain/basis/omit-undefined.ts';
import type { TableName } from '../../shared/dynamo/keys.ts';
import { findBundles, limitBundles } from '../build/bundle-folders.ts';
import { deploy } from './deployment.ts';
import {
  type Environment,
  type EnvironmentName,
  toBaseUrl,
  toTableName,
} from './environments/environment.ts';
import { environments } from './environments/environments.ts';
import { applySetting, type SettingName } from './environments/operator-settings.ts';

/** Settings of a deployment. Settings that are left out have the defaults of the environment `name`. */
export interface OneTimeLoginProps
  extends Partial<Omit<Environment, 'domain' | 'hostedZone' | 'mail' | 'name'>> {
  /**
   * Name of the environment, which is part of the names of all stacks, tables and functions. The name also selects the defaults
   * of the other settings, including the region. The option `--env` of `otl` takes the same name.
   */
  readonly name: EnvironmentName;
  /**
   * Host name of the service, such as `login.example.org`. The host name can never change once there is a tenant, because the
   * issuer and all passkeys contain it.
   */
  readonly domainName: string;
  /** Domain that sends email, such as `example.org`. Mail comes from `no-reply@example.org` unless `mail` names an address. */
  readonly mailDomain: string;
  /** Settings of email that differ from those of `mailDomain`. */
  readonly mail?: Partial<Environment['mail']>;
  /** Route 53 hosted zone for the DNS records. Without it, outputs of the stacks list the records that you must create. */
  readonly hostedZone?: HostedZoneAttributes;
}

/**
 * Properties that must have the same form as an environment variable of operators, with the setting that this variable sets.
 */
const RULES: Readonly<Partial<Record<keyof OneTimeLoginProps, SettingName>>> = {
  account: 'ACCOUNT',
  region: 'REGION',
  domainName: 'DOMAIN',
  mailDomain: 'MAIL_DOMAIN',
  copyRegion: 'COPY_REGION',
  alarmMail: 'ALARM_MAIL',
  runbook: 'RUNBOOK',
  queueConcurrency: 'QUEUE_CONCURRENCY',
  qualifier: 'QUALIFIER',
  identityVerificationResource: 'IDENTITY_VERIFICATION_RESOURCE',
};

/**
 * All stacks of one deployment. The scope may be an app, a stage or a stack: the stacks of the deployment are named
 * `otl-<name>-…` in each of them.
 *
 * @example
 * new OneTimeLogin(app, 'Login', {
 *   name: 'eu',
 *   domainName: 'login.example.org',
 *   mailDomain: 'example.org',
 *   hostedZone: { hostedZoneId: 'Z0123456789ABC', zoneName: 'example.org' },
 *   areas: ['code-based', 'webhooks'],
 * });
 */
export class OneTimeLogin extends Construct {
  /** Base URL of the API, which ends in `/cis`. */
  readonly baseUrl: string;
  /** Issuer of all tokens (`iss`). */
  readonly issuer: string;
  /** Topic that delivers alarms. Subscribe your own endpoints to it. */
  readonly alarmTopic: ITopic;
  /** Topic in us-east-1 that delivers the alarms of CloudFront. Subscribe your own endpoints to it, too. */
  readonly edgeAlarmTopic: ITopic;
  /** Names of the DynamoDB tables in use, including restored tables. */
  readonly tableNames: Readonly<Record<TableName, string>>;
  /** CDK stacks of the deployment, for example to tag them. */
  readonly stacks: readonly Stack[];

  constructor(scope: Construct, id: string, props: OneTimeLoginProps) {
    super(scope, id);
    const environment = toEnvironment(scope, props);
    // The templates must not depend on the feature flags and the usage reports of the app that contains the construct.
    const context = { ...cdk.context, 'aws:cdk:version-reporting': cdk.versionReporting };
    for (const [key, value] of Object.entries(context)) this.node.setContext(key, value);
    const { areas = 'all' } = environment;
    const bundles = findBundles();
    const outdir = join(Stage.of(this)?.assetOutdir ?? '', `otl-${this.node.addr}`);
    const own = areas === 'all' ? bundles : limitBundles(bundles, areas, outdir);
    const { global, operations: watch, stacks } = deploy(this, environment, operations, own);
    this.stacks = stacks;
    this.baseUrl = toBaseUrl(environment);
    this.issuer = `${this.baseUrl}/oidc`;
    this.alarmTopic = watch.topic;
    this.edgeAlarmTopic = global.topic;
    const tableName = (table: TableName) => toTableName(environment, table);
    this.tableNames = {
      directory: tableName('directory'),
      people: tableName('people'),
      flows: tableName('flows'),
    };
  }
}

function toEnvironment(scope: Construct, props: OneTimeLoginProps): Environment {
  const { domainName, mailDomain, mail, hostedZone, areas, ...settings } = props;
  let [environment] = environments(props.name, {});
  if (!environment) throw new Error(`There is no environment ${props.name}.`);
  for (const [prop, setting] of Object.entries(RULES)) {
    const value = props[prop as keyof OneTimeLoginProps];
    if (value !== undefined) environment = applySetting(environment, setting, String(value), prop);
  }
  const around = scope.node.scopes.findLast((each) => Stack.isStack(each)) as Stack | undefined;
  const account = around && !Token.isUnresolved(around.account) ? around.account : undefined;
  return {
    ...environment,
    ...omitUndefined<Partial<Environment>>({
      account,
      qualifier: scope.node.tryGetContext(BOOTSTRAP_QUALIFIER_CONTEXT) as string | undefined,
      areas: areas && chooseAreas(areas),
      hostedZone: hostedZone && { id: hostedZone.hostedZoneId, name: hostedZone.zoneName },
    }),
    ...omitUndefined<Partial<Environment>>(settings as WithUndefined<Partial<Environment>>),
    mail: { ...environment.mail, ...mail },
  };
}
