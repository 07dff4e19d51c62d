import { CustomResource, Duration } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import type { Bundle } from '../bundle.ts';
import type { DataStack } from '../data-stack.ts';
import type { Environment } from '../environments.ts';
import { grantsOf } from '../grants.ts';
import { ServiceFunction } from '../service-function.ts';

const ANSWER_SECONDS = 120;

/** Puts the record of the first signing key when an environment is made, so that its first token can be signed. */
export class FirstSigningKey extends Construct {
  constructor(
    scope: Construct,
    id: string,
    props: { readonly environment: Environment; readonly data: DataStack; readonly bundle: Bundle },
  ) {
    super(scope, id);
    const { environment, data, bundle } = props;
    const ports = ['signingKeyRecords'] as const;
    const service = new ServiceFunction(this, 'Put', {
      environment,
      entry: 'first-signing-key',
      description: 'Puts the record of the first signing key',
      dir: bundle.dir,
      ports,
      grants: [
        ...grantsOf(ports, environment, data),
        new PolicyStatement({
          sid: 'PublicKey',
          actions: ['kms:GetPublicKey'],
          resources: [data.signingKey.keyArn],
        }),
      ],
      variables: { DIRECTORY_TABLE: data.tables.directory.tableName },
    });
    new CustomResource(this, 'Record', {
      serviceToken: service.function.functionArn,
      resourceType: 'Custom::FirstSigningKey',
      serviceTimeout: Duration.seconds(ANSWER_SECONDS),
      properties: { KeyId: data.signingKey.keyId },
    });
  }
}
