import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { DescribeKeyCommand, KMSClient } from '@aws-sdk/client-kms';
import { CALL_SETTINGS } from '../../../shared/aws/call-settings.ts';
import { createSigner } from '../../../shared/sdk/signer.ts';
import { RESTORE_ROLE_OUTPUT } from '../../stacks/data/backup-stack.ts';
import {
  type Environment,
  toKeyAlias,
  toNamePrefix,
  toTableName,
} from '../../stacks/environments/environment.ts';

/** Copy of a table in the vault of an environment, as AWS Backup lists it. */
interface RecoveryPoint {
  readonly RecoveryPointArn: string;
  readonly ResourceArn: string;
  readonly Status: string;
  /** Time at which the copy was created, in epoch seconds. */
  readonly CreationDate: number;
}

export interface StartedRestore {
  readonly job_id: string;
  readonly table: string;
  readonly copy: string;
  /** Time (RFC 3339) at which the backup copy was made. */
  readonly copied_at: string;
}

const ANSWER_MILLISECONDS = 10_000;

/**
 * Returns a function that calls AWS Backup with the credentials of the SDK, and that throws an `Error` with AWS's error name.
 * AWS's SDK client for AWS Backup is not used, because the few calls that are needed do not justify another dependency.
 */
export function openBackupClient(region: string) {
  const { credentials } = new KMSClient({ region }).config;
  const signer = createSigner('backup', async () => region, credentials);
  const { AWS_ENDPOINT_URL_BACKUP, AWS_ENDPOINT_URL } = process.env;
  const address = AWS_ENDPOINT_URL_BACKUP ?? AWS_ENDPOINT_URL ?? `https://backup.${region}.amazonaws.com`;
  const { origin, host } = new URL(address);
  return async <Answer>(method: 'GET' | 'PUT', path: string, input?: object): Promise<Answer> => {
    const body = input && JSON.stringify(input);
    const headers = { host, 'content-type': 'application/json' };
    const request = { method, path, headers, ...(body !== undefined && { body }) };
    await signer.sign(request, { signingDate: new Date() });
    const response = await fetch(`${origin}${path}`, {
      ...request,
      signal: AbortSignal.timeout(ANSWER_MILLISECONDS),
    });
    const answer = (await response.json()) as { readonly Message?: string; readonly message?: string };
    if (response.ok) return answer as Answer;
    const name = response.headers.get('x-amzn-errortype')?.split(':')[0] ?? `${response.status}`;
    throw Object.assign(new Error(answer.Message ?? answer.message ?? 'AWS Backup refused the call'), {
      name,
    });
  };
}

/**
 * Finds the newest complete copy of a table in a vault.
 * @param until Only copies begun before this time are considered, in epoch seconds.
 */
export async function findNewestCopy(
  call: ReturnType<typeof openBackupClient>,
  { vault, table, until = Number.POSITIVE_INFINITY }: { vault: string; table: string; until?: number },
): Promise<RecoveryPoint | undefined> {
  // One page has 1,000 copies; the vault keeps two per day for 35 days.
  const { RecoveryPoints: points } = await call<{ RecoveryPoints: readonly RecoveryPoint[] }>(
    'GET',
    `/backup-vaults/${vault}/recovery-points/`,
  );
  const [newest] = points
    .filter(({ ResourceArn, Status }) => ResourceArn.endsWith(`:table/${table}`) && Status === 'COMPLETED')
    .filter(({ CreationDate }) => CreationDate < until)
    .toSorted((one, other) => other.CreationDate - one.CreationDate);
  return newest;
}

/**
 * Starts restoring the newest copy of a table under a new name, with the vault's restore role and the key of the tables
 * ("Restore an Amazon DynamoDB table", AWS Backup).
 * @param vault Name of the vault. Default: the environment's own vault
 * @param until Only copies begun before this time are considered, in epoch seconds.
 * @returns undefined if there is no such copy
 */
export async function restoreFromVault(
  environment: Environment,
  {
    of,
    to,
    vault = toNamePrefix(environment),
    until,
  }: { of: 'directory' | 'people'; to: string; vault?: string; until?: number },
): Promise<StartedRestore | undefined> {
  const { region } = environment;
  const call = openBackupClient(region);
  const table = toTableName(environment, of);
  const newest = await findNewestCopy(call, { vault, table, ...(until !== undefined && { until }) });
  if (!newest) return undefined;
  const config = { ...CALL_SETTINGS, region };
  const [{ Stacks = [] }, { KeyMetadata }] = await Promise.all([
    new CloudFormationClient(config).send(
      new DescribeStacksCommand({ StackName: `${toNamePrefix(environment)}-backup` }),
    ),
    new KMSClient(config).send(new DescribeKeyCommand({ KeyId: toKeyAlias(environment, 'tables') })),
  ]);
  const role = Stacks[0]?.Outputs?.find(({ OutputKey }) => OutputKey === RESTORE_ROLE_OUTPUT)?.OutputValue;
  const { RestoreJobId } = await call<{ RestoreJobId: string }>('PUT', '/restore-jobs', {
    RecoveryPointArn: newest.RecoveryPointArn,
    IamRoleArn: role,
    ResourceType: 'DynamoDB',
    Metadata: { targetTableName: to, encryptionType: 'KMS', kmsMasterKeyArn: KeyMetadata?.Arn },
  });
  return {
    job_id: RestoreJobId,
    table: to,
    copy: newest.RecoveryPointArn,
    copied_at: new Date(newest.CreationDate * 1000).toISOString(),
  };
}
