import { resolveCname, resolveMx, resolveTxt } from 'node:dns/promises';
import {
  DescribeContinuousBackupsCommand,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  DynamoDBClient,
} from '@aws-sdk/client-dynamodb';
import { DescribeKeyCommand, KMSClient } from '@aws-sdk/client-kms';
import {
  GetAccountCommand,
  GetConfigurationSetEventDestinationsCommand,
  GetEmailIdentityCommand,
  SESv2Client,
} from '@aws-sdk/client-sesv2';
import { GetSMSAttributesCommand, GetSMSSandboxAccountStatusCommand, SNSClient } from '@aws-sdk/client-sns';
import { CALL_SETTINGS } from '../../shared/aws/call-settings.ts';
import { tableLayouts } from '../../shared/dynamo/keys.ts';
import type { Facts } from './facts.ts';

const CHALLENGE_MILLISECONDS = 5000;
const MILLISECONDS = 1000;

export interface Place {
  readonly region: string;
  readonly mail: Facts['mail'];
  readonly configurationSet: string;
  readonly production: boolean;
  readonly baseUrl: string;
  /** Names by the table. */
  readonly tables: Readonly<Record<keyof typeof tableLayouts, string>>;
}

type Told = Pick<Facts, 'signingKeys' | 'applications'>;

const isMissing = (error: unknown) =>
  error instanceof Error && /^(?:ENOTFOUND|ENODATA)$/.test((error as NodeJS.ErrnoException).code ?? '');

/** A name that is not there has no records; anything else is no answer. */
async function orNone<T>(lookup: Promise<readonly T[]>): Promise<readonly T[]> {
  try {
    return await lookup;
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

async function tableFacts(client: DynamoDBClient, place: Place): ReturnType<Facts['tables']> {
  return Promise.all(
    Object.entries(tableLayouts).map(async ([table, layout]) => {
      const TableName = place.tables[table as keyof typeof tableLayouts];
      const [described, backups, timeToLive] = await Promise.all([
        client.send(new DescribeTableCommand({ TableName })).catch(() => undefined),
        client.send(new DescribeContinuousBackupsCommand({ TableName })).catch(() => undefined),
        client.send(new DescribeTimeToLiveCommand({ TableName })).catch(() => undefined),
      ]);
      const recovery = backups?.ContinuousBackupsDescription?.PointInTimeRecoveryDescription;
      return {
        name: TableName,
        active: described?.Table?.TableStatus === 'ACTIVE',
        timeToLive: timeToLive?.TimeToLiveDescription?.TimeToLiveStatus === 'ENABLED',
        needsTimeToLive: layout.timeToLive !== undefined,
        recovery: recovery?.PointInTimeRecoveryStatus === 'ENABLED',
        needsRecovery: layout.durable,
        protected: described?.Table?.DeletionProtectionEnabled === true,
      };
    }),
  );
}

/** What AWS, the DNS and the edge say about an environment. */
export function awsFacts(place: Place, told: Told): Facts {
  const { region, mail } = place;
  const config = { ...CALL_SETTINGS, region };
  const [ses, sns, kms] = [new SESv2Client(config), new SNSClient(config), new KMSClient(config)];
  const database = new DynamoDBClient(config);
  return {
    ...told,
    mail,
    production: place.production,
    async sesAccount() {
      const { ProductionAccessEnabled, SendingEnabled } = await ses.send(new GetAccountCommand({}));
      return { productionAccess: ProductionAccessEnabled === true, sendingEnabled: SendingEnabled === true };
    },
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
        new GetConfigurationSetEventDestinationsCommand({ ConfigurationSetName: place.configurationSet }),
      );
      // SES rewrites links for whoever asks for these.
      return EventDestinations.some(
        ({ Enabled, MatchingEventTypes = [] }) =>
          Enabled && (MatchingEventTypes.includes('OPEN') || MatchingEventTypes.includes('CLICK')),
      );
    },
    async sms() {
      const [{ IsInSandbox }, { attributes }] = await Promise.all([
        sns.send(new GetSMSSandboxAccountStatusCommand({})),
        sns.send(new GetSMSAttributesCommand({ attributes: ['MonthlySpendLimit'] })),
      ]);
      const limit = attributes?.MonthlySpendLimit;
      return {
        sandbox: IsInSandbox === true,
        monthlySpendLimit: limit === undefined ? undefined : Number(limit),
      };
    },
    txt: async (name) => (await orNone(resolveTxt(name))).map((parts) => parts.join('')),
    mx: async (name) => (await orNone(resolveMx(name))).map(({ exchange }) => exchange),
    cname: (name) => orNone(resolveCname(name)),
    tables: () => tableFacts(database, place),
    async keyEnabled(KeyId) {
      return (await kms.send(new DescribeKeyCommand({ KeyId }))).KeyMetadata?.Enabled === true;
    },
    async clockSkewSeconds() {
      const answer = await fetch(`https://dynamodb.${region}.amazonaws.com/ping`, { method: 'HEAD' });
      const theirs = Date.parse(answer.headers.get('date') ?? '');
      if (Number.isNaN(theirs)) throw new Error('AWS told no time');
      return Math.round((Date.now() - theirs) / MILLISECONDS);
    },
    async challenge() {
      const signal = AbortSignal.timeout(CHALLENGE_MILLISECONDS);
      const answer = await fetch(`${place.baseUrl}/oidc/me`, { signal });
      return answer.headers.get('www-authenticate') ?? undefined;
    },
  };
}

/** The local cloud has no mail of the outside world, no DNS and no edge: what is asked of them cannot be checked. */
export function withoutOutside(facts: Facts): Facts {
  const absent = () => Promise.reject(Object.assign(new Error(), { name: 'not in the local cloud' }));
  return {
    ...facts,
    ...{ sesAccount: absent, sesIdentity: absent, sesTracking: absent, sms: absent },
    ...{ txt: absent, mx: absent, cname: absent, tables: absent, clockSkewSeconds: absent },
  };
}
