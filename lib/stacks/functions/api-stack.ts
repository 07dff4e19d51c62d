import { Stack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import type { Bundle } from '../../build/bundle.ts';
import type { DataStack } from '../data/data-stack.ts';
import { acknowledge } from '../environments/acknowledge.ts';
import { type Environment, prefixOf, stackPropsOf } from '../environments/environment.ts';
import { EdgeRecords } from './edge-records.ts';
import { FirstSigningKey } from './first-signing-key.ts';

export interface ApiStackProps {
  readonly environment: Environment;
  readonly data: DataStack;
  readonly firstSigningKey: Bundle;
  readonly edgeRecords: Bundle;
}

/** What the functions of the API need first: the secret of the edge and the first signing key. */
export class ApiStack extends Stack {
  readonly edge: EdgeRecords;

  constructor(scope: Construct, { environment, data, firstSigningKey, edgeRecords }: ApiStackProps) {
    super(scope, `${prefixOf(environment)}-api`, {
      ...stackPropsOf(environment, 'the secret of the edge, the first signing key'),
      terminationProtection: environment.protection,
    });
    new FirstSigningKey(this, 'FirstSigningKey', {
      environment,
      data,
      bundle: firstSigningKey,
    });
    this.edge = new EdgeRecords(this, 'Edge', { environment, data, bundle: edgeRecords });
    acknowledge(this, {
      SMG4: 'The secret of the edge changes with a deployment, functions first: a rotation by itself would lock the edge out.',
    });
  }
}
