import {
  AccountRootPrincipal,
  AnyPrincipal,
  Effect,
  PolicyDocument,
  PolicyStatement,
  ServicePrincipal,
} from 'aws-cdk-lib/aws-iam';
import { signingTags } from '../../../shared/aws/signing-keys/modes.ts';
import type { SigningKey } from '../../../shared/ports/keys.ts';

/*
 * "The account root" in a key policy means every principal of the account with an IAM policy for the key. So each statement
 * below is one of two locks, and the caller's own policy is the other. No statement contains `kms:*`. Administration excludes
 * every action that uses a key, and `kms:CreateGrant`, which could pass such an action on. Nothing that functions do is denied
 * to the account root, since that would deny it to them too. One call remains to be watched: `kms:PutKeyPolicy` can still
 * allow anything.
 */
const ADMINISTRATION = [
  'kms:CancelKeyDeletion',
  'kms:CreateAlias',
  'kms:DeleteAlias',
  'kms:DescribeKey',
  'kms:DisableKey',
  'kms:DisableKeyRotation',
  'kms:EnableKey',
  'kms:EnableKeyRotation',
  'kms:GetKeyPolicy',
  'kms:GetKeyRotationStatus',
  'kms:GetPublicKey',
  'kms:ListAliases',
  'kms:ListGrants',
  'kms:ListKeyPolicies',
  'kms:ListKeyRotations',
  'kms:ListResourceTags',
  'kms:PutKeyPolicy',
  'kms:RevokeGrant',
  'kms:RotateKeyOnDemand',
  'kms:ScheduleKeyDeletion',
  'kms:TagResource',
  'kms:UntagResource',
  'kms:UpdateAlias',
  'kms:UpdateKeyDescription',
];

type Conditions = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** A statement about principals of the account. */
const allow = (sid: string, actions: string[], conditions?: Conditions) =>
  new PolicyStatement({
    sid,
    principals: [new AccountRootPrincipal()],
    actions,
    resources: ['*'],
    ...(conditions && { conditions }),
  });

const keyPolicy = (...statements: PolicyStatement[]) =>
  new PolicyDocument({ statements: [allow('Administration', ADMINISTRATION), ...statements] });

/** A copy in another region is a key of its own policy, and the region that others copy from has the say over all. */
const OF_REGIONS = ['kms:ReplicateKey', 'kms:UpdatePrimaryRegion'];

/** The roles by which CloudFormation deploys in each region, as CDK's bootstrap names them. */
const deploymentRoles = (account: string): string =>
  `arn:aws:iam::${account}:role/cdk-hnb659fds-cfn-exec-role-${account}-*`;

/** Of a multi-Region key: it stays in its region, unless a deployment copies it. */
function regionalKeyPolicy(account: string, ...statements: PolicyStatement[]): PolicyDocument {
  const ofDeployment = { 'aws:PrincipalArn': deploymentRoles(account) };
  return keyPolicy(
    ...statements,
    allow('CopyToRegions', OF_REGIONS, { ArnLike: ofDeployment }),
    new PolicyStatement({
      sid: 'CopyToRegionsByOthers',
      effect: Effect.DENY,
      principals: [new AnyPrincipal()],
      actions: OF_REGIONS,
      resources: ['*'],
      conditions: { ArnNotLike: ofDeployment },
    }),
  );
}

const byRoles = (roleArns: readonly string[]) => ({ ArnLike: { 'aws:PrincipalArn': roleArns } });

const SIGNATURES_OF: Readonly<Record<SigningKey['alg'], readonly string[]>> = {
  RS256: ['RSASSA_PKCS1_V1_5_SHA_256', 'RSASSA_PSS_SHA_256'],
  ES256: ['ECDSA_SHA_256'],
};

/** Allows signatures of digests by the algorithms of the key, and no other use, to functions that issue tokens. */
export const signingKeyPolicy = (
  account: string,
  roleArns: readonly string[],
  alg: SigningKey['alg'] = 'RS256',
): PolicyDocument =>
  regionalKeyPolicy(
    account,
    allow('Sign', ['kms:Sign'], {
      ...byRoles(roleArns),
      StringEquals: {
        'kms:MessageType': 'DIGEST',
        'kms:SigningAlgorithm': SIGNATURES_OF[alg],
      },
    }),
  );

/** The condition that a call names this encryption context. */
export const inContext = (context: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(context).map(([name, value]) => [`kms:EncryptionContext:${name}`, value]),
  );

/** Lets functions that issue tokens open private keys. The deployment and rotations make pairs, and see no private key. */
export function envelopeKeyPolicy(
  account: string,
  environment: string,
  roleArns: readonly string[],
): PolicyDocument {
  const StringEquals = inContext(signingTags(environment));
  return regionalKeyPolicy(
    account,
    allow('MakeKeyPairs', ['kms:GenerateDataKeyPairWithoutPlaintext'], { StringEquals }),
    allow('OpenPrivateKeys', ['kms:Decrypt'], { ...byRoles(roleArns), StringEquals }),
  );
}

/** Allows MACs, and no other use, to these roles. */
export const macKeyPolicy = (account: string, roleArns: readonly string[]): PolicyDocument =>
  regionalKeyPolicy(
    account,
    allow('GenerateMac', ['kms:GenerateMac'], {
      ...byRoles(roleArns),
      StringEquals: { 'kms:MacAlgorithm': 'HMAC_SHA_256' },
    }),
  );

/** The actions of DynamoDB on the key of a table, on behalf of a reader… */
export const TABLE_READ = ['kms:Decrypt', 'kms:DescribeKey'];
/** …and of a writer ("AWS KMS key policy for a customer managed key" in the guide of DynamoDB). */
export const TABLE_WRITE = [
  ...TABLE_READ,
  'kms:Encrypt',
  'kms:GenerateDataKey',
  'kms:GenerateDataKeyWithoutPlaintext',
  'kms:ReEncryptFrom',
  'kms:ReEncryptTo',
];

/** Allows use only through DynamoDB of the region: no principal decrypts directly. */
export function tableKeyPolicy(region: string): PolicyDocument {
  const StringEquals = { 'kms:ViaService': `dynamodb.${region}.amazonaws.com` };
  return keyPolicy(
    allow('UseThroughDynamo', TABLE_WRITE, { StringEquals }),
    allow('GrantToDynamo', ['kms:CreateGrant'], {
      StringEquals,
      Bool: { 'kms:GrantIsForAWSResource': 'true' },
    }),
    new PolicyStatement({
      sid: 'DescribeByDynamo',
      principals: [new ServicePrincipal('dynamodb.amazonaws.com')],
      actions: ['kms:DescribeKey', 'kms:GetKeyPolicy', 'kms:GetKeyRotationStatus', 'kms:ListGrants'],
      resources: ['*'],
    }),
  );
}
