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

/**
 * Actions that administrators of a key may use. The key policy allows these actions to the account root, that is, to every
 * principal whose IAM policy also allows the action. The list contains no action that uses a key, and omits `kms:CreateGrant`,
 * which could pass such actions on. The policy does not deny actions that use a key, because a denial for the account root
 * would also apply to functions. `kms:PutKeyPolicy` can still allow anything, so its calls must be monitored.
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

/** Builds a policy statement that allows principals of the account to perform the given actions. */
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

/**
 * Actions that copy a key to other regions. Only deployments may use these actions, because a replica has its own key policy
 * and the primary key controls all replicas.
 */
const OF_REGIONS = ['kms:ReplicateKey', 'kms:UpdatePrimaryRegion'];

/** Account and CDK bootstrap stacks that deploy a key. */
export interface Deployer {
  readonly account: string;
  readonly qualifier: string;
}

/** Returns the ARN pattern of the roles with which CloudFormation deploys in any region, as CDK's bootstrap names them. */
const deploymentRoles = ({ account, qualifier }: Deployer): string =>
  `arn:aws:iam::${account}:role/cdk-${qualifier}-cfn-exec-role-${account}-*`;

/** Builds the policy of a multi-Region key. Only a deployment may copy the key to another region. */
function regionalKeyPolicy(deployer: Deployer, ...statements: PolicyStatement[]): PolicyDocument {
  const ofDeployment = { 'aws:PrincipalArn': deploymentRoles(deployer) };
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

/** Builds the policy of a signing key. Functions that issue tokens may only sign digests with the key's algorithms. */
export const signingKeyPolicy = (
  deployer: Deployer,
  roleArns: readonly string[],
  alg: SigningKey['alg'] = 'RS256',
): PolicyDocument =>
  regionalKeyPolicy(
    deployer,
    allow('Sign', ['kms:Sign'], {
      ...byRoles(roleArns),
      StringEquals: {
        'kms:MessageType': 'DIGEST',
        'kms:SigningAlgorithm': SIGNATURES_OF[alg],
      },
    }),
  );

/** Returns the policy condition that a KMS call must pass the given encryption context. */
export const inContext = (context: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(context).map(([name, value]) => [`kms:EncryptionContext:${name}`, value]),
  );

/**
 * Builds the policy of the key that encrypts private signing keys. Functions that issue tokens may decrypt the signing keys.
 * The deployment and key rotations may create key pairs but never see a private key.
 */
export function envelopeKeyPolicy(
  deployer: Deployer,
  environment: string,
  roleArns: readonly string[],
): PolicyDocument {
  const StringEquals = inContext(signingTags(environment));
  return regionalKeyPolicy(
    deployer,
    allow('MakeKeyPairs', ['kms:GenerateDataKeyPairWithoutPlaintext'], { StringEquals }),
    allow('OpenPrivateKeys', ['kms:Decrypt'], { ...byRoles(roleArns), StringEquals }),
  );
}

/** Builds the policy of a MAC key. Only the given roles may compute MACs, and no other use is allowed. */
export const macKeyPolicy = (deployer: Deployer, roleArns: readonly string[]): PolicyDocument =>
  regionalKeyPolicy(
    deployer,
    allow('GenerateMac', ['kms:GenerateMac'], {
      ...byRoles(roleArns),
      StringEquals: { 'kms:MacAlgorithm': 'HMAC_SHA_256' },
    }),
  );

/** KMS actions that readers of a table need on its key. */
export const TABLE_READ = ['kms:Decrypt', 'kms:DescribeKey'];
/** KMS actions that writers of a table need on its key (DynamoDB, "AWS KMS key policy for a customer managed key"). */
export const TABLE_WRITE = [
  ...TABLE_READ,
  'kms:Encrypt',
  'kms:GenerateDataKey',
  'kms:GenerateDataKeyWithoutPlaintext',
  'kms:ReEncryptFrom',
  'kms:ReEncryptTo',
];

/**
 * Builds the policy of the key that encrypts the tables. The key works only through DynamoDB in the region, so that no
 * principal can decrypt with it directly.
 */
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
