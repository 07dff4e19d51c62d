import { Resolver } from 'node:dns/promises';
import {
  DescribeContinuousBackupsCommand,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  DynamoDBClient,
} from '@aws-sdk/client-dynamodb';
import { DescribeKeyCommand, KMSClient } from '@aws-sdk/client-kms';
import { GetFunctionConfigurationCommand, LambdaClient } from '@aws-sdk/client-lambda';
import {
  GetConfigurationSetEventDestinationsCommand,
  GetEmailIdentityCommand,
  SESv2Client,
} from '@aws-sdk/client-sesv2';
import { GetQueueAttributesCommand, ListQueuesCommand, SQSClient } from '@aws-sdk/client-sqs';
import { CALL_SETTINGS } from '../../../shared/aws/call-settings.ts';
import { tableLayouts } from '../../../shared/dynamo/keys.ts';
import { undefinedIfNamed } from '../unless-named.ts';
import { accountFacts } from './account-facts.ts';
import { readCertificateEnd } from './certificate.ts';
import { DNS_SETTINGS, emptyIfMissing } from './dns.ts';
import type { Facts } from './facts.ts';
import { readSmsPoolState } from './sms-pool.ts';

const CHALLENGE_MILLISECONDS = 5000;
const MILLISECONDS = 1000;

export interface Installation
  extends Pick<
    Facts,
    | 'region'
    | 'mail'
    | 'production'
    | 'unprotected'
    | 'leftOverStacks'
    | 'alarms'
    | 'alarmTopics'
    | 'newestCopies'
    | 'smsLimitUsd'
    | 'smsPool'
    | 'smsConfigurationSet'
    | 'signingModes'
    | 'es256'
    | 'testIdentities'
    | 'deviceBinding'
    | 'ignoreAlarms'
    | 'queueConcurrency'
    | 'keys'
  > {
  readonly configurationSet: string;
  /** ARNs of the Lambda functions that send messages, by what they send. */
  readonly senderArns?: Readonly<Record<string, string | undefined>>;
  /** Name prefixes of the SQS queues for webhooks and notices. */
  readonly queuePrefixes: readonly string[];
  readonly baseUrl: string;
  /** URL of an AWS service. The doctor compares the `Date` header of its response with the clock of this machine. */
  readonly clock: string;
  /** DNS servers with ports. Default: those of this machine. */
  readonly nameServers?: readonly string[];
  /** Names of the DynamoDB tables in AWS, by their names in the code. */
  readonly tables: Readonly<Record<keyof typeof tableLayouts, string>>;
}

type StoredRecords = Pick<Facts, 'signingKeys' | 'applications' | 'clients' | 'resourceUris'>;

/** Returns the response of a DynamoDB call, or undefined if the table does not exist and therefore has no settings. */
const unlessMissing = <T>(answer: Promise<T>) =>
  undefinedIfNamed(answer, 'ResourceNotFoundException', 'TableNotFoundException');

async function tableFacts(client: DynamoDBClient, installation: Installation): ReturnType<Facts['tables']> {
  return Promise.all(
    Object.entries(tableLayouts).map(async ([table, layout]) => {
      const TableName = installation.tables[table as keyof typeof tableLayouts];
      const [described, backups, timeToLive] = await Promise.all([
        unlessMissing(client.send(new DescribeTableCommand({ TableName }))),
        unlessMissing(client.send(new DescribeContinuousBackupsCommand({ TableName }))),
        unlessMissing(client.send(new DescribeTimeToLiveCommand({ TableName }))),
      ]);
      const recovery = backups?.ContinuousBackupsDescription?.PointInTimeRecoveryDescription;
      return {
        name: TableName,
        active: described?.Table?.TableStatus === 'ACTIVE',
        timeToLive: timeToLive?.TimeToLiveDescription?.TimeToLiveStatus === 'ENABLED',
        needsTimeToLive: layout.timeToLive !== undefined,
        recovery: recovery?.PointInTimeRecoveryStatus === 'ENABLED',
        needsRecovery: layout.durable,
      };
    }),
  );
}

function sesFacts(
  ses: SESv2Client,
  { mail, configurationSet }: Installation,
): Pick<Facts, 'sesIdentity' | 'sesTracking'> {
  return {
    async sesIdentity() {
      const found = await ses.send(new GetEmailIdentityCommand({ EmailIdentity: mail.identity }));
      return {
        verified: found.VerifiedForSendingStatus === true,
        dkimSigned:
          found.DkimAttributes?.SigningEnabled === true && found.DkimAttributes.Status === 'SUCCESS',
        dkimTokens: found.DkimAttributes?.Tokens ?? [],
        mailFromVerified: found.MailFromAttributes?.MailFromDomainStatus === 'SUCCESS',
      };
    },
    async sesTracking() {
      const { EventDestinations = [] } = await ses.send(
        new GetConfigurationSetEventDestinationsCommand({ ConfigurationSetName: configurationSet }),
      );
      // SES rewrites links if an event destination subscribes to these events.
      return EventDestinations.some(
        ({ Enabled, MatchingEventTypes = [] }) =>
          Enabled && (MatchingEventTypes.includes('OPEN') || MatchingEventTypes.includes('CLICK')),
      );
    },
  };
}

async function senderFacts(region: string, { senderArns = {} }: Installation): ReturnType<Facts['senders']> {
  const named = Object.entries(senderArns).flatMap(([what, arn]) =>
    arn === undefined ? [] : [{ what, arn }],
  );
  if (named.length === 0) return [];
  const client = new LambdaClient({ ...CALL_SETTINGS, region });
  return Promise.all(
    named.map(async ({ what, arn }) => {
      const asked = client.send(new GetFunctionConfigurationCommand({ FunctionName: arn }));
      return { what, arn, state: (await unlessMissing(asked))?.State };
    }),
  );
}

async function countWaiting(client: SQSClient, prefixes: readonly string[]): Promise<number> {
  const found = await Promise.all(
    prefixes.map((QueueNamePrefix) => client.send(new ListQueuesCommand({ QueueNamePrefix }))),
  );
  const counts = await Promise.all(
    found
      .flatMap(({ QueueUrls = [] }) => QueueUrls)
      .map(async (QueueUrl) => {
        const name = 'ApproximateNumberOfMessages';
        const { Attributes } = await client.send(
          new GetQueueAttributesCommand({ QueueUrl, AttributeNames: [name] }),
        );
        return Number(Attributes?.[name] ?? 0);
      }),
  );
  return counts.reduce((sum, each) => sum + each, 0);
}

function dnsFacts(nameServers: Installation['nameServers']): Pick<Facts, 'txt' | 'mx' | 'cname'> {
  const dns = new Resolver(DNS_SETTINGS);
  if (nameServers) dns.setServers(nameServers);
  return {
    txt: async (name) => (await emptyIfMissing(dns.resolveTxt(name))).map((parts) => parts.join('')),
    mx: async (name) => (await emptyIfMissing(dns.resolveMx(name))).map(({ exchange }) => exchange),
    cname: (name) => emptyIfMissing(dns.resolveCname(name)),
  };
}

/** Returns the facts that AWS, the DNS and CloudFront report about an environment. */
export function awsFacts(installation: Installation, told: StoredRecords): Facts {
  const { region } = installation;
  const config = { ...CALL_SETTINGS, region };
  const kms = new KMSClient(config);
  const database = new DynamoDBClient(config);
  return {
    ...installation,
    ...told,
    ...accountFacts(region),
    ...sesFacts(new SESv2Client(config), installation),
    ...dnsFacts(installation.nameServers),
    smsPoolState: () => readSmsPoolState(installation),
    senders: () => senderFacts(region, installation),
    tables: () => tableFacts(database, installation),
    certificateEnd: () => readCertificateEnd(installation.baseUrl),
    waitingEvents: () =>
      countWaiting(new SQSClient({ ...config, useQueueUrlAsEndpoint: false }), installation.queuePrefixes),
    async keyEnabled(KeyId) {
      return (await kms.send(new DescribeKeyCommand({ KeyId }))).KeyMetadata?.Enabled === true;
    },
    async clockSkewSeconds() {
      const answer = await fetch(installation.clock, { method: 'HEAD' });
      const theirs = Date.parse(answer.headers.get('date') ?? '');
      if (Number.isNaN(theirs)) throw new Error('AWS returned no date');
      return Math.round((Date.now() - theirs) / MILLISECONDS);
    },
    async challenge() {
      const signal = AbortSignal.timeout(CHALLENGE_MILLISECONDS);
      const answer = await fetch(`${installation.baseUrl}/oidc/me`, { signal });
      return answer.headers.get('www-authenticate') ?? undefined;
    },
  };
}
