import { Resolver } from 'node:dns/promises';
import { CloudWatchLogsClient, DescribeLogGroupsCommand } from '@aws-sdk/client-cloudwatch-logs';
import { CreateFunctionUrlConfigCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { GetHostedZoneCommand, Route53Client } from '@aws-sdk/client-route-53';
import { GetParameterCommand, paginateGetParametersByPath, SSMClient } from '@aws-sdk/client-ssm';
import { CALL_SETTINGS } from '../../../shared/aws/call-settings.ts';
import {
  type Environment,
  listDeliveryLogs,
  SMS_OWNER_PARAMETER,
  toNamePrefix,
  toOrigin,
  toQualifier,
} from '../../stacks/environments/environment.ts';
import { callerArn } from '../audit-log/identity.ts';
import { accountFacts } from '../doctor/account-facts.ts';
import { DNS_SETTINGS, emptyIfMissing } from '../doctor/dns.ts';
import { undefinedIfNamed } from '../unless-named.ts';
import type { PreflightFacts } from './facts.ts';
import type { Templates } from './fixed-sum.ts';
import { findExisting, ROUTE_53_REGION } from './taken.ts';

const ANSWER_MILLISECONDS = 5000;
/** Pattern of the SSM parameter that contains the version of a bootstrap stack. Captures the stack's qualifier. */
const BOOTSTRAP_PARAMETER = /^\/cdk-bootstrap\/([a-z0-9]{1,10})\/version$/;
/**
 * Pattern that captures the kind of policy in an error message of AWS ("Troubleshoot access denied error messages", IAM User
 * Guide).
 */
const EXPLICIT_DENY = /with an explicit deny in an? ([a-z -]*policy|permissions boundary)/;

/**
 * Reads the facts that AWS, the DNS and the domain report before a deployment.
 * @param nameServers DNS servers with ports. Default: those of this machine.
 */
export function preflightFacts(
  environment: Environment,
  templates: Templates,
  nameServers?: readonly string[],
): PreflightFacts {
  const { region, mail, sms, signingModes } = environment;
  const dns = new Resolver(DNS_SETTINGS);
  if (nameServers) dns.setServers(nameServers);
  return {
    ...accountFacts(region),
    environment,
    region,
    mail,
    signingModes,
    smsLimitUsd: sms.monthlySpendLimitUsd,
    async caller() {
      const arn = await callerArn(region);
      return { arn, account: arn.split(':')[4] ?? '' };
    },
    async bootstrapVersion(where) {
      const found = await parameter(where, `/cdk-bootstrap/${toQualifier(environment)}/version`);
      return found === undefined ? undefined : Number(found);
    },
    async bootstrapQualifiers(where) {
      const ssm = new SSMClient({ ...CALL_SETTINGS, region: where });
      const found: string[] = [];
      const pages = paginateGetParametersByPath({ client: ssm }, { Path: '/cdk-bootstrap', Recursive: true });
      for await (const { Parameters = [] } of pages)
        for (const { Name = '' } of Parameters)
          found.push(...(BOOTSTRAP_PARAMETER.exec(Name)?.slice(1) ?? []));
      return found;
    },
    async policyAgainstFunctionUrls() {
      // The call creates nothing, because no function has this name. AWS checks permissions first, so the error shows if a
      // policy of the organisation allows the call. The simulator of IAM ignores such policies if they have conditions.
      const FunctionName = `${toNamePrefix(environment)}-preflight`;
      const lambda = new LambdaClient({ ...CALL_SETTINGS, region });
      const call = lambda.send(new CreateFunctionUrlConfigCommand({ FunctionName, AuthType: 'NONE' }));
      try {
        await undefinedIfNamed(call, 'ResourceNotFoundException');
        return undefined;
      } catch (error) {
        const [, policy] = EXPLICIT_DENY.exec(error instanceof Error ? error.message : '') ?? [];
        if (policy === undefined) throw error;
        return policy;
      }
    },
    async zone(Id) {
      const route53 = new Route53Client({ ...CALL_SETTINGS, region: ROUTE_53_REGION });
      const found = await undefinedIfNamed(
        route53.send(new GetHostedZoneCommand({ Id })),
        'NoSuchHostedZone',
      );
      return (
        found && {
          name: withoutDot(found.HostedZone?.Name ?? ''),
          isPrivate: found.HostedZone?.Config?.PrivateZone === true,
          nameServers: (found.DelegationSet?.NameServers ?? []).map(withoutDot),
        }
      );
    },
    ns: async (name) => (await emptyIfMissing(dns.resolveNs(name))).map(withoutDot),
    async caa(name) {
      const records = await emptyIfMissing(dns.resolveCaa(name));
      if (records.length === 0) return undefined;
      return records.flatMap(({ issue }) => (issue === undefined ? [] : [issue]));
    },
    async foreignDeliveryLog(account) {
      const names = listDeliveryLogs(region, account);
      const logs = new CloudWatchLogsClient({ ...CALL_SETTINGS, region });
      const { logGroups = [] } = await logs.send(
        new DescribeLogGroupsCommand({ logGroupNamePrefix: names[0] }),
      );
      const found = logGroups.flatMap(({ logGroupName = '' }) =>
        names.includes(logGroupName) ? logGroupName : [],
      );
      if (found.length === 0) return undefined;
      const owner = await parameter(region, SMS_OWNER_PARAMETER);
      return owner === undefined ? found[0] : undefined;
    },
    existing: findExisting(environment, templates),
    async answers() {
      const signal = AbortSignal.timeout(ANSWER_MILLISECONDS);
      return fetch(`${toOrigin(environment)}/health`, { signal }).then(
        ({ ok }) => ok,
        () => false,
      );
    },
  };
}

const withoutDot = (name: string): string => name.replace(/\.$/, '').toLowerCase();

async function parameter(region: string, Name: string): Promise<string | undefined> {
  const ssm = new SSMClient({ ...CALL_SETTINGS, region });
  const found = await undefinedIfNamed(ssm.send(new GetParameterCommand({ Name })), 'ParameterNotFound');
  return found?.Parameter?.Value;
}
