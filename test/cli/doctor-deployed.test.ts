import { createServer, type Server } from 'node:http';
import { type AddressInfo, createServer as createPlainServer } from 'node:net';
import { text } from 'node:stream/consumers';
import { createServer as createTlsServer } from 'node:tls';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { readCertificateEnd } from '../../lib/operator/doctor/certificate.ts';
import { otlWith } from '../support/server/otl.ts';
import { describeStack, describeTopic, missingStack, xml } from './support/account.ts';

// Runs `otl doctor` against one server that replaces AWS. The server emulates only stacks, alarm topics and backup vaults, so all
// other checks fail.

const DAY_SECONDS = 86_400;

let server: Server;
/** Regions in which the alarm email address has confirmed its SNS subscription. */
let confirmed: readonly string[] = [];
/** Age of the newest backup in days, by table. */
let ages: Readonly<Record<string, number>> = {};
/** Names of the existing stacks. */
let stacks: readonly string[] = [];
let published: URLSearchParams[] = [];

function listCopies(): object {
  const RecoveryPoints = Object.entries(ages).map(([table, days]) => ({
    RecoveryPointArn: `arn:aws:backup:eu-central-1:111122223333:recovery-point:${table}`,
    ResourceArn: `arn:aws:dynamodb:eu-central-1:111122223333:table/otl-eu-${table}`,
    Status: 'COMPLETED',
    CreationDate: Date.now() / 1000 - days * DAY_SECONDS,
  }));
  return { RecoveryPoints };
}

const actions: Readonly<Record<string, (form: URLSearchParams, region: string) => string | undefined>> = {
  DescribeStacks(form) {
    const name = form.get('StackName') ?? '';
    return stacks.includes(name) ? describeStack(name, false) : undefined;
  },
  DescribeStackResources: (form, region) =>
    describeTopic(`arn:aws:sns:${region}:111122223333:${form.get('StackName')}-Alarms`),
  ListSubscriptionsByTopic(form, region) {
    const arn = confirmed.includes(region) ? `${form.get('TopicArn')}:receiver` : 'PendingConfirmation';
    const member = `<member><SubscriptionArn>${arn}</SubscriptionArn><Endpoint>ops@example.com</Endpoint></member>`;
    return xml('ListSubscriptionsByTopic', `<Subscriptions>${member}</Subscriptions>`);
  },
  Publish(form) {
    published.push(form);
    return xml('Publish', '<MessageId>message</MessageId>');
  },
};

beforeAll(async () => {
  server = createServer(async (request, response) => {
    const [, region = ''] =
      /Credential=[^/]+\/\d+\/([^/]+)\//.exec(request.headers.authorization ?? '') ?? [];
    const form = new URLSearchParams(await text(request));
    const isVault = request.url === '/backup-vaults/otl-eu/recovery-points/';
    const answer = isVault ? JSON.stringify(listCopies()) : actions[form.get('Action') ?? '']?.(form, region);
    response.writeHead(answer === undefined ? 400 : 200);
    response.end(answer ?? missingStack(form.get('StackName') ?? ''));
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  confirmed = ['eu-central-1', 'us-east-1'];
  ages = { directory: 1, people: 1 };
  stacks = [];
  published = [];
});

const doctor = (settings: Readonly<Record<string, string>>, ...more: string[]) =>
  otlWith(
    {
      ...settings,
      AWS_ENDPOINT_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      AWS_ACCESS_KEY_ID: 'operator',
      AWS_SECRET_ACCESS_KEY: 'secret',
      AWS_CONFIG_FILE: '/dev/null',
      AWS_SHARED_CREDENTIALS_FILE: '/dev/null',
    },
    ['--env', 'eu', 'doctor', ...more],
  );
async function find(check: string, settings = {}) {
  const { stdout } = await doctor(settings, '--json');
  const { result } = JSON.parse(stdout) as { result: { check: string; status: string }[] };
  return result.find((finding) => finding.check === check);
}

describe('stacks, alarms and backups that otl doctor checks in AWS', () => {
  test('otl doctor lists left-over stacks, beginning with the console’s CloudFront distribution', async () => {
    stacks = ['otl-eu-api-one-time', 'otl-eu-api-console', 'otl-eu-console-edge'];
    expect(await find('areas')).toMatchObject({ status: 'ok' });
    const toCommand = (name: string) => `aws cloudformation delete-stack --stack-name ${name}`;
    expect(await find('areas', { OTL_AREAS_EU: 'one-time' })).toMatchObject({
      status: 'warn',
      command: ['otl-eu-console-edge', 'otl-eu-api-console'].map(toCommand).join('\n'),
    });
  });

  test('otl doctor accepts confirmed alarm addresses and backups from the day before', async () => {
    expect([await find('alarm-receivers'), await find('copies')]).toMatchObject([
      { status: 'ok' },
      { status: 'ok' },
    ]);
  });

  test('otl doctor reports an alarm address in us-east-1 that is not confirmed', async () => {
    confirmed = ['eu-central-1'];
    expect(await find('alarm-receivers')).toMatchObject({
      ...{ status: 'fail', detail: 'not confirmed: ops@example.com in us-east-1' },
      command: expect.stringContaining(
        '--topic-arn arn:aws:sns:us-east-1:111122223333:otl-eu-global-Alarms ',
      ),
    });
  });

  test('otl doctor reports a table whose newest backup is older than 36 hours, and a table without a backup', async () => {
    ages = { people: 2 };
    const detail = 'older than 36 hours: otl-eu-people in otl-eu';
    expect(await find('copies')).toMatchObject({ status: 'fail', detail });
    ages = { people: 1 };
    expect(await find('copies')).toMatchObject({
      ...{ status: 'warn', detail: 'no copy of otl-eu-directory in otl-eu' },
    });
  });

  test('otl doctor notifies the alarm addresses of failed checks only with the option --notify', async () => {
    ages = { directory: 1, people: 2 };
    await doctor({});
    expect(published).toEqual([]);
    expect((await doctor({}, '--notify')).code).toBe(1);
    expect(published.map((form) => form.get('TopicArn'))).toEqual([
      'arn:aws:sns:eu-central-1:111122223333:otl-eu-operations-Alarms',
    ]);
    expect(published[0]?.get('Message')).toMatch(/^copies: older than 36 hours: .*\n.*AWS Backup/m);
  });
});

/** Private key and self-signed certificate of the local TLS server. */
const TLS = {
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg+4dJW0cG6LucCcyq
q1rji9xW71nu4Oz8qy91fAQGcFihRANCAATYRGRJFtgSLTCaqNRFfkBAui+dz4LP
ZZzRay3monS1zh3ShEdqsUA8HJgaMk0IU45gqOZejUn8sr6+uRZy/2m7
-----END PRIVATE KEY-----
`,
  cert: `-----BEGIN CERTIFICATE-----
MIIBgDCCASWgAwIBAgIUU4+WCtPnn5vzOTSKlQCplZBbHtswCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyOTE0NTU0MFoYDzIxMjYxMTA1
MTQ1NTQwWjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAATYRGRJFtgSLTCaqNRFfkBAui+dz4LPZZzRay3monS1zh3ShEdqsUA8
HJgaMk0IU45gqOZejUn8sr6+uRZy/2m7o1MwUTAdBgNVHQ4EFgQUf2CSyQWDUchu
uP9pX2FLBbFRz/cwHwYDVR0jBBgwFoAUf2CSyQWDUchuuP9pX2FLBbFRz/cwDwYD
VR0TAQH/BAUwAwEB/zAKBggqhkjOPQQDAgNJADBGAiEA4K+DYrKdb8tNeilIu5aF
ZJpT9XSR/kTqwwZ/dMyJ47cCIQCnD1jZ1dBwlpFtBzMymoCh1VgaM7oiEq6D6Gps
DjDzBA==
-----END CERTIFICATE-----
`,
};

describe('certificate check of otl doctor', () => {
  const tls = createTlsServer(TLS, (socket) => void socket.on('error', () => undefined).resume());
  tls.on('tlsClientError', () => undefined);
  beforeAll(async () => {
    await new Promise<void>((resolve) => tls.listen(0, 'localhost', resolve));
  });
  afterAll(() => new Promise((resolve) => tls.close(resolve)));

  test('otl doctor reads the expiry date of a host’s certificate even if the certificate is self-signed', async () => {
    const { port } = tls.address() as AddressInfo;
    const end = await readCertificateEnd(`https://localhost:${port}/cis`);
    expect(end).toEqual(new Date('Nov  5 14:55:40 2126 GMT'));
  });

  test('otl doctor reports an error if a host closes the connection without sending a certificate', async () => {
    const plain = createPlainServer((socket) => socket.destroy());
    await new Promise<void>((resolve) => plain.listen(0, 'localhost', resolve));
    const { port } = plain.address() as AddressInfo;
    await expect(readCertificateEnd(`https://localhost:${port}/cis`)).rejects.toThrow();
    await new Promise((resolve) => plain.close(resolve));
  });
});
