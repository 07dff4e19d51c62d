import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import packageJson from '../../package.json' with { type: 'json' };
import { METRIC_NAMESPACE, metrics } from '../../shared/http/metrics.ts';
import { listInlineCode, pages, readPage, section } from './support/markdown.ts';
import { listCommandLines } from './support/otl-commands.ts';

const runbook = readPage('lib/RUNBOOK.md') + readPage('lib/INCIDENTS.md');
const inline = listInlineCode(runbook);

/** Commands that this test cannot check, because no SDK client is installed. They were checked in the AWS CLI reference. */
const LOOKED_UP = [
  'aws acm describe-certificate',
  'aws acm list-certificates',
  'aws apigatewayv2 get-integrations',
  'aws backup list-backup-jobs',
  'aws cloudtrail lookup-events',
  'aws cognito-idp list-users',
  'aws s3api list-objects-v2',
];
/** SDK client names that differ from the service names of the AWS CLI. */
const CLIENTS: Readonly<Record<string, string>> = {
  logs: 'cloudwatch-logs',
  route53: 'route-53',
  secretsmanager: 'secrets-manager',
};

/** Returns the input members of an AWS operation in lower case, or undefined if the operation does not exist. */
async function loadInputMembers(service: string, action: string): Promise<readonly string[] | undefined> {
  const client = (await import(`@aws-sdk/client-${CLIENTS[service] ?? service}`)) as Record<string, unknown>;
  const name = `${action.replaceAll('-', '')}$`;
  const found = Object.entries(client).find(([key]) => key.toLowerCase() === name)?.[1];
  if (!Array.isArray(found)) return undefined;
  // Operation schemas are [kind, namespace, name, traits, input, output], inputs [kind, namespace, name, traits, members, …].
  const [, , , , input] = found;
  const [, , , , members] = typeof input === 'function' ? input() : input;
  return members.map((member: string) => member.toLowerCase());
}

/** Options that every AWS CLI command has. */
const OF_ALL = ['region', 'query', 'maxitems'];

test('each aws command and option in the documentation exists in the AWS SDK', async () => {
  const named = pages()
    .flatMap((page) => listCommandLines(readPage(page)))
    .filter((line) => line.startsWith('aws '));
  expect(named.length).toBeGreaterThan(30);
  const complaints = await Promise.all(
    named
      .filter((line) => !LOOKED_UP.some((command) => line.startsWith(command)))
      .map(async (line) => {
        const [, service = '', action = ''] = line.split(' ');
        const known = await loadInputMembers(service, action);
        if (!known) return [line];
        const flags = [...line.matchAll(/ --(?:no-)?([a-z-]+)/g)].map(([, flag = '']) =>
          flag.replaceAll('-', ''),
        );
        return flags.every((flag) => known.includes(flag) || OF_ALL.includes(flag)) ? [] : [line];
      }),
  );
  expect(complaints.flat()).toEqual([]);
});

test('each setting and metric that the runbook names exists', () => {
  const environments = readPage('lib/stacks/environments/environment.ts');
  for (const setting of [
    'signingModes',
    'restoredTables',
    'edgeSecret',
    'codeKey',
    'countries',
    'originationNumber',
  ])
    expect([setting, runbook.includes(setting) && environments.includes(`readonly ${setting}`)]).toEqual([
      setting,
      true,
    ]);
  const known = Object.values(metrics).map(({ name }) => name as string);
  const named = inline.filter((code) => /^[A-Z][a-z]+(?:[A-Z][a-z]+)*$/.test(code));
  const theirs = [
    ...['ProductionAccessEnabled', 'ThrottlingException', 'SpendLimit', 'BlockedRequests', 'Rule'],
    METRIC_NAMESPACE,
  ];
  const ours = named.filter((name) => !theirs.includes(name) && !name.startsWith('CryptographicOperations'));
  expect(ours.length).toBeGreaterThan(5);
  expect(ours.filter((name) => !known.includes(name))).toEqual([]);
});

test('package.json, the lock file and the changelog contain the same version', () => {
  const lock = JSON.parse(readFileSync(join(import.meta.dirname, '../../package-lock.json'), 'utf8')) as {
    readonly version: string;
    readonly packages: Readonly<Record<string, { readonly version: string }>>;
  };
  const released = [...readPage('CHANGELOG.md').matchAll(/^## \[(\d+\.\d+\.\d+)\]/gm)].map(([, one]) => one);
  expect([lock.version, lock.packages['']?.version, released[0]]).toEqual(Array(3).fill(packageJson.version));
  expect(section(readPage('lib/RUNBOOK.md'), 'Rollback').includes('Until there is a second version')).toBe(
    released.length === 1,
  );
});
