import { ArnFormat, CustomResource, Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import { background } from '../../../functions/background.ts';
import type { Bundle } from '../../build/bundle-folders.ts';
import type { DataStack } from '../data/data-stack.ts';
import { type Environment, toNamePrefix, toTableName } from '../environments/environment.ts';
import { ServiceFunction, toFunctionName } from './service-function.ts';

const ANSWER_SECONDS = 120;
const SECRET_CHARACTERS = 64;

/**
 * Secret between CloudFront and the functions, and the record of the domain. CloudFront's configuration contains the secret.
 * Functions have only hashes: a reader of their configuration cannot impersonate CloudFront, no template reaches
 * CloudFormation's limit of 60 secrets, and no request waits for Secrets Manager. To change the secret, raise `edgeSecret` and
 * deploy: functions accept the new secret in addition to the old one before CloudFront sends it. The old secret stays valid
 * until the next change, which does no harm, because only CloudFront has ever received it.
 */
export class EdgeRecords extends Construct {
  /** Secret that CloudFront sends to the functions. */
  readonly secret: Secret;
  /** Secrets that functions accept from CloudFront. */
  private readonly accepted: readonly Secret[];
  private readonly reader: string;

  constructor(
    scope: Construct,
    id: string,
    props: { readonly environment: Environment; readonly data: DataStack; readonly bundle: Bundle },
  ) {
    super(scope, id);
    const { environment, data, bundle } = props;
    const { edgeSecret } = environment;
    this.secret = this.addSecret(environment, edgeSecret);
    this.accepted = [this.secret, ...(edgeSecret > 1 ? [this.addSecret(environment, edgeSecret - 1)] : [])];
    const service = new ServiceFunction(this, 'Read', {
      environment,
      name: 'edge-records',
      description: 'Hashes the secrets that CloudFront sends, and records the domain',
      bundle,
      data,
      uses: background['edge-records'].uses,
      grants: [
        new PolicyStatement({
          sid: 'EdgeSecrets',
          actions: ['secretsmanager:GetSecretValue'],
          resources: this.accepted.map((secret) => secret.secretArn),
        }),
      ],
      variables: { DIRECTORY_TABLE: toTableName(environment, 'directory') },
    });
    this.reader = Stack.of(this).formatArn({
      service: 'lambda',
      resource: 'function',
      resourceName: toFunctionName(environment, 'edge-records'),
      arnFormat: ArnFormat.COLON_RESOURCE_NAME,
    });
    const domain = this.record(this, 'Domain', 'Domain', { Domain: environment.domain });
    domain.node.addDependency(service.function);
  }

  /**
   * Returns the hashes of the accepted secrets (SHA-256, base64url). Each stack reads them once for all of its functions,
   * because references to another stack would slow down the deployment.
   */
  hashesFor(stack: Stack): readonly string[] {
    return this.accepted.map((secret) =>
      this.record(stack, `Edge${secret.node.id}Hash`, 'EdgeSecretHash', {
        SecretId: secret.secretArn,
      }).getAttString('Hash'),
    );
  }

  private record(
    scope: Construct,
    name: string,
    type: string,
    properties: Readonly<Record<string, string>>,
  ): CustomResource {
    return new CustomResource(scope, name, {
      serviceToken: this.reader,
      resourceType: `Custom::${type}`,
      serviceTimeout: Duration.seconds(ANSWER_SECONDS),
      properties,
    });
  }

  private addSecret(environment: Environment, generation: number): Secret {
    return new Secret(this, `Secret${generation}`, {
      description: `Secret that CloudFront of ${toNamePrefix(environment)} sends to its functions, number ${generation}`,
      generateSecretString: { passwordLength: SECRET_CHARACTERS, excludePunctuation: true },
      removalPolicy: RemovalPolicy.DESTROY,
    });
  }
}
