import { CustomResource, Duration } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import { portsIn } from '../../shared/http/effective-ports.ts';
import type { Bundle } from '../bundle.ts';
import type { DataStack } from '../data-stack.ts';
import type { Environment } from '../environments.ts';
import { grantsOf } from '../grants.ts';
import { inContext } from '../key-policies.ts';
import { otherUses } from '../other-uses.ts';
import { ServiceFunction } from '../service-function.ts';
import { signingTags } from '../signing-keys/modes.ts';

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
    const uses = otherUses['first-signing-key'];
    const { envelopeKey } = data;
    const context = signingTags(environment.name);
    const sealing = envelopeKey !== undefined && environment.signingModes[0] === 'kms-envelope';
    const service = new ServiceFunction(this, 'Put', {
      environment,
      entry: 'first-signing-key',
      description: 'Puts the record of the first signing key',
      dir: bundle.dir,
      ports: portsIn(uses),
      grants: [
        ...grantsOf(uses, environment, data),
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
      variables: { DIRECTORY_TABLE: data.tables.directory.tableName },
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
