import { CustomResource, Duration } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import { background } from '../../../functions/background.ts';
import { signingTags } from '../../../shared/aws/signing-keys/modes.ts';
import type { Bundle } from '../../build/bundle-folders.ts';
import type { DataStack } from '../data/data-stack.ts';
import { inContext } from '../data/key-policies.ts';
import { type Environment, toTableName } from '../environments/environment.ts';
import { ServiceFunction } from './service-function.ts';

const ANSWER_SECONDS = 120;

/** Custom resource that creates the record of the first signing key, so that tokens can be signed from the start. */
export class FirstSigningKey extends Construct {
  constructor(
    scope: Construct,
    id: string,
    props: { readonly environment: Environment; readonly data: DataStack; readonly bundle: Bundle },
  ) {
    super(scope, id);
    const { environment, data, bundle } = props;
    const { uses } = background['first-signing-key'];
    const { envelopeKey } = data;
    const context = signingTags(environment.name);
    const sealing = envelopeKey !== undefined && environment.signingModes[0] === 'kms-envelope';
    const service = new ServiceFunction(this, 'Put', {
      environment,
      name: 'first-signing-key',
      description: 'Creates the record of the first signing key',
      bundle,
      uses,
      data,
      grants: [
        sealing
          ? new PolicyStatement({
              sid: 'KeyPair',
              actions: ['kms:GenerateDataKeyPairWithoutPlaintext'],
              resources: [envelopeKey.keyArn],
              conditions: { StringEquals: inContext(context) },
            })
          : new PolicyStatement({
              sid: 'PublicKey',
              actions: ['kms:GetPublicKey'],
              resources: [data.signingKey.keyArn],
            }),
      ],
      variables: { DIRECTORY_TABLE: toTableName(environment, 'directory') },
    });
    new CustomResource(this, 'Record', {
      serviceToken: service.function.functionArn,
      resourceType: 'Custom::FirstSigningKey',
      serviceTimeout: Duration.seconds(ANSWER_SECONDS),
      properties: sealing
        ? { KeyId: envelopeKey.keyId, SealingContext: context }
        : { KeyId: data.signingKey.keyId },
    });
  }
}
