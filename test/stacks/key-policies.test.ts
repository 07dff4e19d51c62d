import { describe, expect, test } from '@jest/globals';
import { operations } from '../../functions/operations.ts';
import { signingKeyPolicy } from '../../lib/stacks/data/key-policies.ts';
import { effectivePorts } from '../../shared/http/effective-ports.ts';
import type { Operation } from '../../shared/operation.ts';
import { Cloud, type Statement } from './support/cloud.ts';
import { synthesized } from './support/synthesized.ts';
import { environmentsInRun } from './support/variants.ts';

const cloud = new Cloud(synthesized('eu').templates);
const enveloped = new Cloud(synthesized('eu with keys that KMS has sealed').templates);
const rows = Object.values<Operation>(operations);
const findRolePath = (row: Operation) => {
  const name = `otl-eu-${row.event.replaceAll('/', '-')}`;
  const found = cloud.functions().find((deployed) => deployed.name === name);
  if (!found) throw new Error(`no function of ${row.event}`);
  return found.rolePath;
};

const ADMINISTERS =
  /^kms:(Describe|Get|List|Put|Enable|Disable|Tag|Untag|Update|Schedule|Cancel|Revoke|Rotate|CreateAlias|DeleteAlias)/;

/** Reasons why KMS does not rotate certain keys. KMS rotates only symmetric encryption keys ("Rotate AWS KMS keys"). */
const NOT_ROTATED_BY_KMS: Readonly<Record<string, string>> = {
  SigningKey: '`otl keys rotate` makes a new one, and the old one stays published for its last tokens',
  CodeMacKey: 'functions derive a key of it for each day, and `codeKey` changes those; it never leaves KMS',
  WebhookMacKey: 'receivers keep what is made of it; `otl webhook rotate-secret` gives one of them another',
};

describe('retention and rotation of KMS keys', () => {
  test.each([...environmentsInRun, 'eu with keys that KMS has sealed'] as const)(
    'each KMS key of %s has the expected retention and rotation and a policy without kms:*',
    (variant) => {
      const [deletion, replacement] =
        variant === 'sandbox' ? ['Delete', 'Delete'] : ['RetainExceptOnCreate', 'Retain'];
      const { templates } = synthesized(variant);
      const keys = Object.values(templates).flatMap(({ Resources }) =>
        Object.entries(Resources).filter(([, { Type }]) => Type === 'AWS::KMS::Key'),
      );
      expect(keys).toHaveLength(variant.includes('sealed') ? 5 : 4);
      for (const [id, key] of keys) {
        const { KeyPolicy, EnableKeyRotation, MultiRegion, PendingWindowInDays } = key.Properties ?? {};
        // The table key is a single-region key, because DynamoDB does not use the replicas of multi-region keys.
        const isOfTables = id.startsWith('TableKey');
        expect([id, MultiRegion === true]).toEqual([id, !isOfTables]);
        expect([id, key.DeletionPolicy, key.UpdateReplacePolicy]).toEqual([id, deletion, replacement]);
        expect([id, PendingWindowInDays]).toEqual([id, 30]);
        const reason = NOT_ROTATED_BY_KMS[id.replace(/[0-9A-F]{8}$/, '')];
        expect([id, EnableKeyRotation === true]).toEqual([id, reason === undefined]);
        const { Statement } = KeyPolicy as { readonly Statement: readonly Statement[] };
        for (const { Sid, Effect, Action, Condition } of Statement) {
          const ofRegions = [Action].flat().filter((action) => /Replicate|PrimaryRegion/.test(action));
          const isAboutRegions = Sid?.startsWith('CopyToRegions') === true;
          expect([id, Sid, ofRegions.length > 0]).toEqual([id, Sid, isAboutRegions]);
          expect(Effect).toBe(Sid === 'CopyToRegionsByOthers' ? 'Deny' : 'Allow');
          expect([Action].flat().filter((action) => action.includes('*'))).toEqual([]);
          // Administrators can neither use a key nor grant its use to others.
          if (Sid === 'Administration') for (const action of Action) expect(action).toMatch(ADMINISTERS);
          else if (Sid !== 'DescribeByDynamo') expect([id, Condition]).toEqual([id, expect.anything()]);
        }
        expect(Statement.filter(({ Sid }) => Sid === 'Administration')).toHaveLength(1);
        const ofRegions = Statement.filter(({ Sid }) => Sid?.startsWith('CopyToRegions'));
        expect(ofRegions).toMatchObject(
          isOfTables
            ? []
            : [
                { Condition: { ArnLike: { 'aws:PrincipalArn': expect.anything() } } },
                {
                  Principal: { AWS: '*' },
                  Condition: { ArnNotLike: { 'aws:PrincipalArn': expect.anything() } },
                },
              ],
        );
        const deployers = ofRegions.map(({ Condition }) => Object.values(Condition as object)[0]);
        expect(new Set(deployers.map((each) => JSON.stringify(each))).size).toBe(isOfTables ? 0 : 1);
        for (const each of deployers)
          expect(JSON.stringify(each)).toContain(':role/cdk-hnb659fds-cfn-exec-role-');
      }
    },
  );
});

test('each KMS key alias that `otl doctor` looks up exists', () => {
  const named = Object.fromEntries(
    enveloped.resources('AWS::KMS::Alias').map(({ properties: { TargetKeyId, AliasName } }) => [
      String(TargetKeyId)
        .replace('AWS::KMS::Key:', '')
        .replace(/[0-9A-F]{8}$/, ''),
      AliasName,
    ]),
  );
  expect(named).toEqual({
    TableKey: 'alias/otl-eu-tables',
    CodeMacKey: 'alias/otl-eu-codes',
    WebhookMacKey: 'alias/otl-eu-webhooks',
    EnvelopeKey: 'alias/otl-eu-signing-envelope',
  });
});

describe('access that KMS key policies grant', () => {
  const findKeyPolicy = (prefix: string) => {
    const [key] = cloud.resources('AWS::KMS::Key').filter(({ id }) => id.startsWith(prefix));
    const policy = key?.properties.KeyPolicy as {
      readonly Statement: readonly (Statement & { Principal: unknown })[];
    };
    return policy.Statement.map((each) => ({ ...each, Action: [each.Action].flat() }));
  };
  const listPatterns = (prefix: string, action: string) =>
    findKeyPolicy(prefix)
      .filter(({ Action }) => Action.includes(action))
      .flatMap(({ Condition }) => {
        const { ArnLike } = Condition as { readonly ArnLike: Record<string, string[]> };
        return ArnLike['aws:PrincipalArn'] ?? [];
      });
  const matches = (patterns: readonly string[], path: string) =>
    patterns.some((pattern) =>
      `arn:aws:iam::111122223333:role${path}AnyName`.startsWith(pattern.slice(0, -1)),
    );

  test('only functions that use the signer port can sign with KMS', () => {
    const patterns = listPatterns('SigningKey', 'kms:Sign');
    for (const pattern of patterns)
      expect(pattern).toMatch(/^arn:aws:iam::111122223333:role\/otl\/eu\/.+\/\*$/);
    for (const row of rows)
      expect([row.event, matches(patterns, findRolePath(row))]).toEqual([
        row.event,
        effectivePorts(row).includes('signer'),
      ]);
    expect(findKeyPolicy('SigningKey').filter(({ Action }) => Action.includes('kms:Sign'))).toMatchObject([
      {
        Condition: {
          StringEquals: {
            'kms:MessageType': 'DIGEST',
            'kms:SigningAlgorithm': ['RSASSA_PKCS1_V1_5_SHA_256', 'RSASSA_PSS_SHA_256'],
          },
        },
      },
    ]);
  });

  test('a signing key on the curve P-256 can be used only for ES256', () => {
    const { Statement } = signingKeyPolicy(
      { account: '111122223333', qualifier: 'hnb659fds' },
      ['arn:aws:iam::111122223333:role/otl/eu/*'],
      'ES256',
    ).toJSON();
    const [sign] = (Statement as readonly Statement[]).filter(({ Sid }) => Sid === 'Sign');
    expect(sign?.Condition).toMatchObject({ StringEquals: { 'kms:SigningAlgorithm': ['ECDSA_SHA_256'] } });
  });

  test('only functions that use the signer port can decrypt private signing keys', () => {
    const own = {
      'kms:EncryptionContext:otl:environment': 'eu',
      'kms:EncryptionContext:otl:purpose': 'signing',
    };
    const [key] = enveloped.resources('AWS::KMS::Key').filter(({ id }) => id.startsWith('EnvelopeKey'));
    const policy = key?.properties.KeyPolicy as { readonly Statement: readonly Statement[] } | undefined;
    const uses = policy?.Statement.filter(({ Sid = '' }) => !/^(Administration|CopyToRegions)/.test(Sid));
    expect(uses).toMatchObject([
      { Action: 'kms:GenerateDataKeyPairWithoutPlaintext', Condition: { StringEquals: own } },
      {
        Action: 'kms:Decrypt',
        Condition: {
          StringEquals: own,
          ArnLike: { 'aws:PrincipalArn': ['arn:aws:iam::111122223333:role/otl/eu/signer/*'] },
        },
      },
    ]);
    const listActions = (name: string) =>
      enveloped
        .functions()
        .filter((deployed) => deployed.name === name)
        .flatMap(({ statements }) => statements.filter(({ Sid }) => !Sid?.startsWith('TableKey')))
        .flatMap(({ Action }) => Action.filter((action) => action.startsWith('kms:')));
    expect(listActions('otl-eu-tokens-token').toSorted()).toEqual(['kms:Decrypt', 'kms:Sign']);
    expect(listActions('otl-eu-first-signing-key')).toEqual(['kms:GenerateDataKeyPairWithoutPlaintext']);
    expect(cloud.resources('AWS::KMS::Key').some(({ id }) => id.startsWith('EnvelopeKey'))).toBe(false);
  });

  test('only functions that use the codeMac port can compute MACs of codes', () => {
    const patterns = listPatterns('CodeMacKey', 'kms:GenerateMac');
    for (const row of rows)
      expect([row.event, matches(patterns, findRolePath(row))]).toEqual([
        row.event,
        effectivePorts(row).includes('codeMac'),
      ]);
  });

  test('only functions that sign webhooks, show webhook secrets or open delivery tokens can use the webhook key', () => {
    const [key] = cloud.resources('AWS::KMS::Key').filter(({ id }) => id.startsWith('WebhookMacKey'));
    const users = cloud
      .functions()
      .filter(({ statements }) =>
        statements.some(({ Resource }) => Resource?.includes(`AWS::KMS::Key:${key?.id}`)),
      );
    expect(users.map(({ name }) => name)).toEqual([
      'otl-eu-webhooks',
      'otl-eu-users-report-delivery',
      ...['create-webhook', 'add-webhook-secret'].map((name) => `otl-eu-webhooks-${name}`),
    ]);
  });

  test("the KMS key of the tables can be used only through DynamoDB in the key's region", () => {
    const uses = findKeyPolicy('TableKey').filter(({ Action }) =>
      Action.some((action) => /crypt|DataKey/.test(action)),
    );
    expect(uses).toHaveLength(1);
    expect(uses[0]?.Condition).toEqual({
      StringEquals: { 'kms:ViaService': 'dynamodb.eu-central-1.amazonaws.com' },
    });
    const grants = findKeyPolicy('TableKey').filter(({ Action }) => Action.includes('kms:CreateGrant'));
    expect(grants).toMatchObject([
      {
        Condition: {
          Bool: { 'kms:GrantIsForAWSResource': 'true' },
          StringEquals: { 'kms:ViaService': 'dynamodb.eu-central-1.amazonaws.com' },
        },
      },
    ]);
  });
});
