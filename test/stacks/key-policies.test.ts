import { describe, expect, test } from '@jest/globals';
import { operations } from '../../functions/operations.ts';
import { effectivePorts } from '../../shared/http/effective-ports.ts';
import type { Operation } from '../../shared/operation.ts';
import { Cloud, type Statement } from './support/cloud.ts';
import { synthesized } from './support/synthesized.ts';

const cloud = new Cloud(synthesized('eu').templates);
const rows = Object.values<Operation>(operations);
const rolePathOf = (row: Operation) => {
  const name = `otl-eu-${row.entry.replaceAll('/', '-')}`;
  const found = cloud.functions().find((deployed) => deployed.name === name);
  if (!found) throw new Error(`no function of ${row.entry}`);
  return found.rolePath;
};

describe('keys admit', () => {
  const policyOf = (prefix: string) => {
    const [key] = cloud.resources('AWS::KMS::Key').filter(({ id }) => id.startsWith(prefix));
    const policy = key?.properties.KeyPolicy as {
      readonly Statement: readonly (Statement & { Principal: unknown })[];
    };
    return policy.Statement.map((each) => ({ ...each, Action: [each.Action].flat() }));
  };
  const patternsOf = (prefix: string, action: string) =>
    policyOf(prefix)
      .filter(({ Action }) => Action.includes(action))
      .flatMap(({ Condition }) => {
        const { ArnLike } = Condition as { readonly ArnLike: Record<string, string[]> };
        return ArnLike['aws:PrincipalArn'] ?? [];
      });
  const matches = (patterns: readonly string[], path: string) =>
    patterns.some((pattern) =>
      `arn:aws:iam::111122223333:role${path}AnyName`.startsWith(pattern.slice(0, -1)),
    );

  test('administration, which contains no use of a key and no way to hand one out', () => {
    for (const key of ['TableKey', 'CodeMacKey', 'NonceMacKey', 'SigningKey']) {
      const [administration] = policyOf(key).filter(({ Condition }) => Condition === undefined);
      expect(administration?.Sid).toBe('Administration');
      for (const action of administration?.Action ?? [])
        expect(action).toMatch(
          /^kms:(Describe|Get|List|Put|Enable|Disable|Tag|Untag|Update|Schedule|Cancel|Revoke|Rotate|CreateAlias|DeleteAlias)/,
        );
    }
  });

  test('no kms:* and no denial', () => {
    for (const key of ['TableKey', 'CodeMacKey', 'NonceMacKey', 'SigningKey'])
      for (const { Effect, Action } of policyOf(key)) {
        expect(Effect).toBe('Allow');
        expect(Action.filter((action) => action.includes('*'))).toEqual([]);
      }
  });

  test('signatures of digests by the roles of functions with the port signer, and of no other', () => {
    const patterns = patternsOf('SigningKey', 'kms:Sign');
    for (const pattern of patterns)
      expect(pattern).toMatch(/^arn:aws:iam::111122223333:role\/otl\/eu\/.+\/\*$/);
    for (const row of rows)
      expect([row.entry, matches(patterns, rolePathOf(row))]).toEqual([
        row.entry,
        effectivePorts(row).includes('signer'),
      ]);
    expect(policyOf('SigningKey').filter(({ Action }) => Action.includes('kms:Sign'))).toMatchObject([
      { Condition: { StringEquals: { 'kms:MessageType': 'DIGEST' } } },
    ]);
  });

  test('private keys to be opened, in their context, by the same roles, where they sign by themselves', () => {
    const own = {
      'kms:EncryptionContext:otl:environment': 'eu',
      'kms:EncryptionContext:otl:purpose': 'signing',
    };
    const enveloped = new Cloud(synthesized('eu with keys that KMS has sealed').templates);
    const [key] = enveloped.resources('AWS::KMS::Key').filter(({ id }) => id.startsWith('EnvelopeKey'));
    const policy = key?.properties.KeyPolicy as { readonly Statement: readonly Statement[] } | undefined;
    const uses = policy?.Statement.filter(({ Sid }) => Sid !== 'Administration');
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
    const actionsOf = (name: string) =>
      enveloped
        .functions()
        .filter((deployed) => deployed.name === name)
        .flatMap(({ statements }) => statements.filter(({ Sid }) => Sid !== 'TableKey'))
        .flatMap(({ Action }) => Action.filter((action) => action.startsWith('kms:')));
    expect(actionsOf('otl-eu-tokens-token').toSorted()).toEqual([
      'kms:Decrypt',
      'kms:GenerateMac',
      'kms:Sign',
    ]);
    expect(actionsOf('otl-eu-first-signing-key')).toEqual(['kms:GenerateDataKeyPairWithoutPlaintext']);
    expect(cloud.resources('AWS::KMS::Key').some(({ id }) => id.startsWith('EnvelopeKey'))).toBe(false);
  });

  test.each([
    ['CodeMacKey', 'codeMac'],
    ['NonceMacKey', 'nonceMac'],
  ] as const)('MACs of %s by the roles of functions with the port %s, and of no other', (key, port) => {
    const patterns = patternsOf(key, 'kms:GenerateMac');
    for (const row of rows)
      expect([row.entry, matches(patterns, rolePathOf(row))]).toEqual([
        row.entry,
        effectivePorts(row).includes(port),
      ]);
  });

  test('encryption of tables through DynamoDB of the region, and grants to services alone', () => {
    const uses = policyOf('TableKey').filter(({ Action }) =>
      Action.some((action) => /crypt|DataKey/.test(action)),
    );
    expect(uses).toHaveLength(1);
    expect(uses[0]?.Condition).toEqual({
      StringEquals: { 'kms:ViaService': 'dynamodb.eu-central-1.amazonaws.com' },
    });
    const grants = policyOf('TableKey').filter(({ Action }) => Action.includes('kms:CreateGrant'));
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
