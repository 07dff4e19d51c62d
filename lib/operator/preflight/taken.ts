import { CloudFormationClient, paginateListStackResources } from '@aws-sdk/client-cloudformation';
import { CloudFrontClient, paginateListDistributions } from '@aws-sdk/client-cloudfront';
import { CloudWatchLogsClient, paginateDescribeLogGroups } from '@aws-sdk/client-cloudwatch-logs';
import { DynamoDBClient, paginateListTables } from '@aws-sdk/client-dynamodb';
import { KMSClient, paginateListAliases } from '@aws-sdk/client-kms';
import { LambdaClient, paginateListFunctions } from '@aws-sdk/client-lambda';
import { ListResourceRecordSetsCommand, Route53Client } from '@aws-sdk/client-route-53';
import { GetEmailIdentityCommand, SESv2Client } from '@aws-sdk/client-sesv2';
import { CALL_SETTINGS } from '../../../shared/aws/call-settings.ts';
import { type Environment, toConsoleDomain, toNamePrefix } from '../../stacks/environments/environment.ts';
import { openBackupClient } from '../restore/from-vault.ts';
import { undefinedIfNamed } from '../unless-named.ts';
import type { ExistingKind, PreflightFacts } from './facts.ts';
import type { Templates } from './fixed-sum.ts';

/** Region for calls of Route 53 and CloudFront, which have a single endpoint for all regions. */
export const ROUTE_53_REGION = 'us-east-1';

/**
 * Returns the fixed names of a resource type in the templates. Names that CloudFormation generates are ignored, because they
 * cannot collide with existing names.
 */
function namesIn(templates: Templates, type: string, property: string): readonly string[] {
  return Object.values(templates)
    .flatMap(({ Resources }) => Object.values(Resources))
    .flatMap(({ Type, Properties }) => (Type === type ? [Properties?.[property]] : []))
    .filter((name) => typeof name === 'string');
}

async function every<Page>(
  pages: AsyncIterable<Page>,
  readItems: (page: Page) => readonly (string | undefined)[] | undefined,
): Promise<readonly string[]> {
  const found: string[] = [];
  for await (const page of pages) found.push(...(readItems(page) ?? []).filter((item) => item !== undefined));
  return found;
}

/**
 * Returns a function that lists the existing resources of one kind whose names the deployment needs but that its stacks did not
 * create.
 */
export function findExisting(environment: Environment, templates: Templates): PreflightFacts['existing'] {
  const { region, mail, hostedZone } = environment;
  const config = { ...CALL_SETTINGS, region };
  const everywhere = { ...config, region: ROUTE_53_REGION };
  const wanted = (type: string, property: string) => new Set(namesIn(templates, type, property));
  /** Keeps only the names that the templates also give to a resource of this type. */
  const named = async (type: string, property: string, found: Promise<readonly string[]>) => {
    const names = wanted(type, property);
    return (await found).filter((name) => names.has(name)).map((name) => [name, name] as const);
  };

  const formation = new CloudFormationClient(config);
  const madeBy = async (StackName: string) =>
    (await undefinedIfNamed(
      every(paginateListStackResources({ client: formation }, { StackName }), ({ StackResourceSummaries }) =>
        StackResourceSummaries?.map(({ PhysicalResourceId }) => PhysicalResourceId),
      ),
      'ValidationError',
    )) ?? [];
  let made: Promise<ReadonlySet<string>> | undefined;
  const ours = () => {
    made ??= Promise.all(Object.keys(templates).map(madeBy)).then((lists) => new Set(lists.flat()));
    return made;
  };

  /**
   * Functions that list existing resources, by kind. Each returns pairs: the name to display, and the physical ID that the
   * resource would have in a stack.
   */
  const there: Readonly<Record<ExistingKind, () => Promise<readonly (readonly [string, string])[]>>> = {
    tables: () =>
      named(
        'AWS::DynamoDB::GlobalTable',
        'TableName',
        every(paginateListTables({ client: new DynamoDBClient(config) }, {}), ({ TableNames }) => TableNames),
      ),
    'key-aliases': () =>
      named(
        'AWS::KMS::Alias',
        'AliasName',
        every(paginateListAliases({ client: new KMSClient(config) }, {}), ({ Aliases }) =>
          Aliases?.map(({ AliasName }) => AliasName),
        ),
      ),
    async 'mail-identity'() {
      const asked = new GetEmailIdentityCommand({ EmailIdentity: mail.identity });
      const found = await undefinedIfNamed(new SESv2Client(config).send(asked), 'NotFoundException');
      return found ? [[mail.identity, mail.identity]] : [];
    },
    'log-groups': () => {
      const client = new CloudWatchLogsClient(config);
      const ofPrefix = { logGroupNamePrefix: toNamePrefix(environment) };
      return named(
        'AWS::Logs::LogGroup',
        'LogGroupName',
        every(paginateDescribeLogGroups({ client }, ofPrefix), ({ logGroups }) =>
          logGroups?.map(({ logGroupName }) => logGroupName),
        ),
      );
    },
    async vaults() {
      const { BackupVaultList } = await openBackupClient(region)<{
        readonly BackupVaultList: readonly { readonly BackupVaultName: string }[];
      }>('GET', '/backup-vaults/');
      const names = BackupVaultList.map(({ BackupVaultName }) => BackupVaultName);
      return named('AWS::Backup::BackupVault', 'BackupVaultName', Promise.resolve(names));
    },
    functions: () =>
      named(
        'AWS::Lambda::Function',
        'FunctionName',
        every(paginateListFunctions({ client: new LambdaClient(config) }, {}), ({ Functions }) =>
          Functions?.map(({ FunctionName }) => FunctionName),
        ),
      ),
    async host() {
      const pages = paginateListDistributions({ client: new CloudFrontClient(everywhere) }, {});
      const names = [environment.domain, toConsoleDomain(environment)];
      const found: (readonly [string, string])[] = [];
      for await (const { DistributionList } of pages)
        for (const { Id = '', Aliases } of DistributionList?.Items ?? [])
          for (const name of names) if (Aliases?.Items?.includes(name)) found.push([`${name} of ${Id}`, Id]);
      return found;
    },
    async records() {
      if (hostedZone === undefined) return [];
      const route53 = new Route53Client(everywhere);
      const found = await Promise.all(
        [...wanted('AWS::Route53::RecordSet', 'Name')].map(async (name) => {
          const { ResourceRecordSets = [] } = await route53.send(
            new ListResourceRecordSetsCommand({ HostedZoneId: hostedZone.id, StartRecordName: name }),
          );
          return ResourceRecordSets.filter(({ Name, Type = '' }) => Name === name && KINDS.has(Type));
        }),
      );
      return found.flat().map(({ Name = '', Type = '' }) => [`${Name} ${Type}`, Name.replace(/\.$/, '')]);
    },
  };
  return async (kind) => {
    const found = await there[kind]();
    if (found.length === 0) return [];
    const known = await ours();
    return found.flatMap(([name, id]) => (known.has(id) ? [] : [name]));
  };
}

/** Types of DNS records that the deployment creates. Existing records of other types do not conflict with them. */
const KINDS: ReadonlySet<string> = new Set(['A', 'AAAA', 'CNAME', 'MX', 'TXT']);
