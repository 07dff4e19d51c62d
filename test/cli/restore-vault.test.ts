import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { otlWith } from '../support/server/otl.ts';
import { identity } from './support/account.ts';

// Restores tables from the backup vault against one server that replaces AWS. The tests check the calls to AWS Backup.

const KEY_ARN = 'arn:aws:kms:eu-central-1:111122223333:key/tables';
const ROLE_ARN = 'arn:aws:iam::111122223333:role/otl-eu-backup-RestoreRole';

const point = (table: string, day: number, Status = 'COMPLETED') => ({
  RecoveryPointArn: `arn:aws:backup:eu-central-1:111122223333:recovery-point:${table}-${day}`,
  ResourceArn: `arn:aws:dynamodb:eu-central-1:111122223333:table/${table}`,
  Status,
  CreationDate: Date.UTC(2026, 10, day) / 1000,
});
const RecoveryPoints = [
  point('otl-eu-people', 20),
  point('otl-eu-people', 22),
  point('otl-eu-people', 21),
  point('otl-eu-people', 23, 'PARTIAL'),
  point('otl-eu-directory', 23),
];
const STACK =
  '<DescribeStacksResponse xmlns="http://cloudformation.amazonaws.com/doc/2010-05-15/"><DescribeStacksResult><Stacks><member>' +
  '<StackName>otl-eu-backup</StackName><StackStatus>CREATE_COMPLETE</StackStatus><CreationTime>2026-11-01T00:00:00Z</CreationTime>' +
  `<Outputs><member><OutputKey>RestoreRoleArn</OutputKey><OutputValue>${ROLE_ARN}</OutputValue></member></Outputs>` +
  '</member></Stacks></DescribeStacksResult></DescribeStacksResponse>';

let server: Server;
let jobs: unknown[] = [];
let refusal = '';

const answers: Readonly<Record<string, (path: string, body: string) => unknown>> = {
  backup(path, body) {
    if (path === '/backup-vaults/otl-eu/recovery-points/') return { RecoveryPoints };
    if (path === '/backup-vaults/otl-eu-copy/recovery-points/')
      return { RecoveryPoints: [point('otl-eu-people', 19)] };
    jobs.push([path, JSON.parse(body)]);
    return { RestoreJobId: 'job' };
  },
  cloudformation: () => STACK,
  kms: () => ({ KeyMetadata: { KeyId: 'tables', Arn: KEY_ARN } }),
  sts: () => identity,
  logs: () => ({}),
};

beforeAll(async () => {
  server = createServer(async (request, response) => {
    const service = /Credential=[^/]+\/\d+\/[^/]+\/([^/]+)\//.exec(request.headers.authorization ?? '')?.[1];
    const body = await text(request);
    if (service === 'backup' && refusal !== '') {
      response.writeHead(400, { 'x-amzn-errortype': `${refusal}:http://internal.amazon.com/` });
      response.end(JSON.stringify({ Message: 'not here' }));
      return;
    }
    const answer = answers[service ?? '']?.(request.url ?? '', body);
    response.writeHead(answer === undefined ? 404 : 200);
    response.end(typeof answer === 'string' ? answer : JSON.stringify(answer));
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  [jobs, refusal] = [[], ''];
});

const restore = (...more: string[]) =>
  otlWith(
    {
      AWS_ENDPOINT_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      AWS_ACCESS_KEY_ID: 'operator',
      AWS_SECRET_ACCESS_KEY: 'secret',
      AWS_CONFIG_FILE: '/dev/null',
      AWS_SHARED_CREDENTIALS_FILE: '/dev/null',
    },
    ['--env', 'eu', 'restore', 'vault', '--to', 'otl-eu-people-restored', '--json', ...more],
  );

describe('restoring tables from the backup vault with otl', () => {
  test.each([
    [[], 22],
    [['--before', '2026-11-21T12:00:00Z'], 21],
    [['--vault', 'otl-eu-copy'], 19],
  ])(
    'otl restore vault with the options %j restores the newest matching backup of a table',
    async (more, day) => {
      const { code, stdout, stderr } = await restore('--of', 'people', ...more);
      expect([code, stderr]).toEqual([0, '']);
      const { RecoveryPointArn } = point('otl-eu-people', day);
      expect(JSON.parse(stdout)).toEqual({
        job_id: 'job',
        table: 'otl-eu-people-restored',
        copy: RecoveryPointArn,
        copied_at: `2026-11-${day}T00:00:00.000Z`,
      });
      const Metadata = {
        targetTableName: 'otl-eu-people-restored',
        encryptionType: 'KMS',
        kmsMasterKeyArn: KEY_ARN,
      };
      const job = { RecoveryPointArn, IamRoleArn: ROLE_ARN, ResourceType: 'DynamoDB', Metadata };
      expect(jobs).toEqual([['/restore-jobs', job]]);
    },
  );

  test('otl restore vault starts no restore if the backup is missing or AWS rejects the call', async () => {
    expect(await restore('--of', 'people', '--before', '2026-11-01T00:00:00Z')).toMatchObject({
      code: 1,
      stderr: 'otl: The vault has no copy of people from before 2026-11-01T00:00:00Z.\n',
    });
    expect(await restore('--of', 'flows')).toMatchObject({ code: 2 });
    expect(await restore('--of', 'people', '--before', 'yesterday')).toMatchObject({ code: 2 });
    refusal = 'InvalidRequestException';
    expect(await restore('--of', 'people')).toMatchObject({
      code: 1,
      stderr: 'otl: InvalidRequestException: not here\n',
    });
    expect(jobs).toEqual([]);
  });

  test('otl restore vault rejects an environment that has no backup vault', async () => {
    expect(await restore('--of', 'people', '--env', 'sandbox')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('sandbox has no vault'),
    });
  });
});
