import { Duration, RemovalPolicy, type Stack } from 'aws-cdk-lib';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  BlockPublicAccess,
  Bucket,
  BucketEncryption,
  type CfnBucket,
  ObjectOwnership,
} from 'aws-cdk-lib/aws-s3';
import { type Environment, toNamePrefix } from '../environments/environment.ts';
import { GLOBAL_REGION } from './global-stack.ts';

/** Returns the name of the log delivery for the access log of an environment. */
export const edgeLogName = (environment: Environment): string => `${toNamePrefix(environment)}-edge`;

/** Returns the name of the log delivery for the operator console's access log. */
export const consoleLogName = (environment: Environment): string => `${edgeLogName(environment)}-console`;

/**
 * Creates the bucket of CloudFront's access log. The log contains IP addresses, so the bucket is in the region of the
 * environment and its objects expire.
 * @returns the ARN of the bucket
 */
export function addEdgeLogBucket(stack: Stack, environment: Environment): string {
  const bucket = new Bucket(stack, 'Logs', {
    blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
    encryption: BucketEncryption.S3_MANAGED,
    enforceSSL: true,
    objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
    lifecycleRules: [
      {
        expiration: Duration.days(environment.logRetention),
        abortIncompleteMultipartUploadAfter: Duration.days(1),
      },
    ],
    // A bucket that contains objects cannot be deleted. It has no fixed name, so it does not block a later deployment.
    removalPolicy: RemovalPolicy.RETAIN,
  });
  bucket.addToResourcePolicy(
    new PolicyStatement({
      sid: 'Delivery',
      principals: [new ServicePrincipal('delivery.logs.amazonaws.com')],
      actions: ['s3:PutObject'],
      resources: [bucket.arnForObjects('*')],
      conditions: {
        StringEquals: { 'aws:SourceAccount': stack.account, 's3:x-amz-acl': 'bucket-owner-full-control' },
        ArnEquals: {
          'aws:SourceArn': [edgeLogName(environment), consoleLogName(environment)].map(
            (name) => `arn:aws:logs:${GLOBAL_REGION}:${stack.account}:delivery-source:${name}`,
          ),
        },
      },
    }),
  );
  // The ARN of the resource is returned, because the ARN of the construct cannot be used in another region.
  return (bucket.node.defaultChild as CfnBucket).attrArn;
}
