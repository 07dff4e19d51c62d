import { describe, expect, test } from '@jest/globals';
import { operations } from '../../functions/operations.ts';
import { WIDE_RESOURCES } from '../../lib/stacks/functions/grants.ts';
import { accessesOf, isTablePort, type TablePort } from '../../shared/dynamo/access.ts';
import { effectivePorts, effectiveUses } from '../../shared/http/effective-ports.ts';
import type { Operation } from '../../shared/operation.ts';
import type { PortName } from '../../shared/ports/index.ts';
import type { Use } from '../../shared/ports/uses.ts';
import { Cloud, type DeployedFunction, type Statement } from './support/cloud.ts';
import { synthesized } from './support/synthesized.ts';

const cloud = new Cloud(synthesized('eu').templates);
const functions = cloud.functions();
const rows = Object.values<Operation>(operations);
const [signer] = cloud.resources('AWS::KMS::Key').filter(({ id }) => id.startsWith('SigningKey'));

/** What the verbs do, written down from `portAccess` alone: by port and place, the actions. */
function expectedOnTables(uses: readonly Use[]): readonly Omit<Statement, 'Sid'>[] {
  const actions = new Map<string, Set<string>>();
  for (const use of uses) {
    const [port = '', only] = use.split('.');
    if (!isTablePort(port as PortName)) continue;
    for (const [verb, accesses] of Object.entries(accessesOf(port as TablePort)))
      if (only === undefined || only === verb)
        for (const access of accesses) {
          const place = JSON.stringify([port, access.table, access.index ?? '', access.prefix]);
          actions.set(place, new Set([...(actions.get(place) ?? []), ...access.actions]));
        }
  }
  return [...actions].map(([place, allowed]) => {
    const [, table, index, prefix] = JSON.parse(place) as [string, string, string, string];
    return {
      Effect: 'Allow',
      Action: [...allowed].toSorted(),
      Resource: [`table:otl-eu-${table}${index && `/index/${index}`}`],
      Condition: {
        'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': [prefix.endsWith('#') ? `${prefix}*` : prefix] },
        Null: { 'dynamodb:LeadingKeys': 'false' },
      },
    };
  });
}

const withoutSid = ({ Sid: _, ...rest }: Statement) => rest;
const actionsOf = (deployed: DeployedFunction) => deployed.statements.flatMap(({ Action }) => Action);
const functionOf = (row: Operation) => {
  const found = functions.find(({ name }) => name === `otl-eu-${row.event.replaceAll('/', '-')}`);
  if (!found) throw new Error(`no function of ${row.event}`);
  return found;
};
const statementsFor = (deployed: DeployedFunction, service: string) =>
  deployed.statements.filter(({ Action }) => Action.some((action) => action.startsWith(`${service}:`)));

describe.each(rows.map((row) => [row.event, row] as const))('the policy of %s', (_entry, row) => {
  const deployed = functionOf(row);
  const ports = effectivePorts(row);

  test('reaches the keys of its verbs in the tables, statement by statement', () => {
    const sort = (statements: readonly unknown[]) =>
      statements.map((each) => JSON.stringify(each)).toSorted();
    expect(sort(statementsFor(deployed, 'dynamodb').map(withoutSid))).toEqual(
      sort(expectedOnTables(effectiveUses(row))),
    );
  });

  test('reaches KMS, SES, SNS and Secrets Manager exactly when a port does', () => {
    const others = actionsOf(deployed).filter((action) => !/^(dynamodb|logs|xray):/.test(action));
    const direct = others.filter((action) =>
      /^(ses|sns|secretsmanager):|^kms:(Sign|GenerateMac)$/.test(action),
    );
    const expected = [
      ...ports.filter((port) => /^(?:code|nonce|webhook)Mac$/.test(port)).map(() => 'kms:GenerateMac'),
      ...(ports.includes('mailer') ? ['ses:SendRawEmail'] : []),
      ...(ports.includes('providerSecrets') ? ['secretsmanager:GetSecretValue'] : []),
      ...(ports.includes('providerSecretRecords') ? ['secretsmanager:DeleteSecret'] : []),
      ...(ports.includes('signer') ? ['kms:Sign'] : []),
      ...(ports.includes('smsSender') ? ['sns:Publish'] : []),
    ];
    expect(direct.toSorted()).toEqual(expected.toSorted());
  });

  test('uses the key of the tables through DynamoDB alone, and encrypts only where it writes', () => {
    const actions = expectedOnTables(effectiveUses(row)).flatMap(({ Action }) => Action);
    const found = deployed.statements.filter(({ Sid }) => Sid === 'TableKey');
    expect(found).toHaveLength(actions.length > 0 ? 1 : 0);
    if (!found[0]) return;
    expect(found[0].Condition).toEqual({
      StringEquals: { 'kms:ViaService': 'dynamodb.eu-central-1.amazonaws.com' },
    });
    expect(found[0].Resource?.[0]).toMatch(/^AWS::KMS::Key:TableKey/);
    const writes = actions.some((action) => !['dynamodb:GetItem', 'dynamodb:Query'].includes(action));
    expect(found[0].Action.includes('kms:Encrypt')).toBe(writes);
  });

  test('writes its own log and has nothing else', () => {
    const services = new Set(actionsOf(deployed).map((action) => action.split(':')[0]));
    expect(
      [...services].filter(
        (service) => !/^(dynamodb|kms|ses|sns|secretsmanager|logs|xray)$/.test(service ?? ''),
      ),
    ).toEqual([]);
    expect(statementsFor(deployed, 'logs')).toEqual([
      {
        Sid: 'OwnLog',
        Effect: 'Allow',
        Action: ['logs:CreateLogStream', 'logs:PutLogEvents'],
        Resource: [expect.stringMatching(/^AWS::Logs::LogGroup:/)],
      },
    ]);
    expect(deployed.managedPolicies).toEqual([]);
  });
});

describe('every policy', () => {
  test('allows single actions, never a scan', () => {
    for (const deployed of functions)
      for (const { Effect, Action } of deployed.statements) {
        expect(Effect).toBe('Allow');
        for (const action of Action) expect(action).not.toMatch(/\*|Scan|PartiQL/);
      }
  });

  test('holds a wildcard resource only where grants say why', () => {
    const wide = functions.flatMap(({ statements }) =>
      statements.filter(
        ({ Resource, NotResource }) =>
          NotResource !== undefined || Resource?.some((each) => each.includes('*')),
      ),
    );
    expect(new Set(wide.map(({ Sid }) => Sid))).toEqual(new Set(Object.keys(WIDE_RESOURCES)));
    for (const reason of Object.values(WIDE_RESOURCES)) expect(reason.length).toBeGreaterThan(40);
  });

  test('fits into what IAM takes inline: 10240 characters', () => {
    for (const { statements } of functions) expect(JSON.stringify(statements).length).toBeLessThan(9000);
  });

  test('is in the template itself: no policy is attached from outside', () => {
    expect(cloud.resources('AWS::IAM::Policy')).toEqual([]);
    expect(cloud.resources('AWS::IAM::ManagedPolicy')).toEqual([]);
  });
});

describe('the ports that are no table', () => {
  const statement = (sid: string) => {
    const found = functions.flatMap(({ statements }) => statements).find(({ Sid }) => Sid === sid);
    if (!found) throw new Error(`no statement ${sid}`);
    return withoutSid(found);
  };

  test('signer: keys that carry the tags of this environment', () => {
    expect(statement('Signer')).toEqual({
      Effect: 'Allow',
      Action: ['kms:Sign'],
      Resource: ['arn:aws:kms:eu-central-1:111122223333:key/*'],
      Condition: {
        StringEquals: { 'aws:ResourceTag/otl:environment': 'eu', 'aws:ResourceTag/otl:purpose': 'signing' },
      },
    });
    expect(signer?.properties.Tags).toEqual([
      { Key: 'otl:environment', Value: 'eu' },
      { Key: 'otl:purpose', Value: 'signing' },
    ]);
  });

  test('codeMac: the one key of codes', () => {
    expect(statement('CodeMac')).toEqual({
      Effect: 'Allow',
      Action: ['kms:GenerateMac'],
      Resource: [expect.stringMatching(/^AWS::KMS::Key:CodeMacKey/)],
    });
  });

  test('nonceMac: the one key of nonces, so that what serves the tokens of users tries no passcodes', () => {
    expect(statement('NonceMac')).toEqual({
      Effect: 'Allow',
      Action: ['kms:GenerateMac'],
      Resource: [expect.stringMatching(/^AWS::KMS::Key:NonceMacKey/)],
    });
    const ofPasscodes = rows.filter((row) => effectivePorts(row).includes('codeMac'));
    expect(ofPasscodes.every((row) => effectivePorts(row).includes('otps'))).toBe(true);
  });

  test('mailer: one sender of one identity, followed by one configuration set', () => {
    expect(statement('Mailer')).toEqual({
      Effect: 'Allow',
      Action: ['ses:SendRawEmail'],
      Resource: [
        'arn:aws:ses:eu-central-1:111122223333:configuration-set/otl-eu',
        'arn:aws:ses:eu-central-1:111122223333:identity/eu.example.com',
      ],
      Condition: { StringEquals: { 'ses:FromAddress': 'no-reply@eu.example.com' } },
    });
  });

  test('providerSecrets: reads the secrets of providers of this environment', () => {
    expect(statement('ProviderSecrets')).toEqual({
      Effect: 'Allow',
      Action: ['secretsmanager:GetSecretValue'],
      Resource: ['arn:aws:secretsmanager:eu-central-1:111122223333:secret:otl-eu/providers/*'],
    });
  });

  test('smsSender: phone numbers, for every ARN of SNS is out', () => {
    expect(statement('SmsRequester')).toEqual({
      Effect: 'Allow',
      Action: ['sns:Publish'],
      NotResource: ['arn:aws:sns:*:*:*'],
    });
  });
});

test('the function of the first signing key reads a public key, lists and puts records of signing keys, nothing more', () => {
  const deployed = functions.find(({ name }) => name === 'otl-eu-first-signing-key');
  expect(deployed?.rolePath).toBe('/otl/eu/');
  const own = deployed?.statements.filter(({ Sid }) => !['OwnLog', 'TableKey', 'Traces'].includes(Sid ?? ''));
  expect(own?.map(withoutSid)).toEqual([
    ...expectedOnTables(['signingKeyRecords.list', 'signingKeyRecords.put']),
    {
      Effect: 'Allow',
      Action: ['kms:GetPublicKey'],
      Resource: [expect.stringMatching(/^AWS::KMS::Key:SigningKey/)],
    },
  ]);
});
