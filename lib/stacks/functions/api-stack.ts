import { Stack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import type { Bundle } from '../../build/bundle-folders.ts';
import type { DataStack } from '../data/data-stack.ts';
import { acknowledge } from '../environments/acknowledge.ts';
import { type Environment, toStackArguments } from '../environments/environment.ts';
import { EdgeRecords } from './edge-records.ts';
import { FirstSigningKey } from './first-signing-key.ts';

export interface ApiStackProps {
  readonly environment: Environment;
  readonly data: DataStack;
  readonly firstSigningKey: Bundle;
  readonly edgeRecords: Bundle;
}

/** Stack with the resources that functions need first: the secret that CloudFront sends to them, and the first signing key. */
export class ApiStack extends Stack {
  readonly edge: EdgeRecords;

  constructor(scope: Construct, { environment, data, firstSigningKey, edgeRecords }: ApiStackProps) {
    const { protection: terminationProtection } = environment;
    const content = 'the secret between CloudFront and the functions, and the first signing key';
    super(scope, ...toStackArguments(environment, 'api', content, { terminationProtection }));
    new FirstSigningKey(this, 'FirstSigningKey', {
      environment,
      data,
      bundle: firstSigningKey,
    });
    this.edge = new EdgeRecords(this, 'Edge', { environment, data, bundle: edgeRecords });
    acknowledge(this, {
      SMG4: 'The secret changes with a deployment, functions first. An automatic rotation would lock CloudFront out.',
    });
  }
}
