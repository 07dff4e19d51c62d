import { Duration, Stack } from 'aws-cdk-lib';
import { ManagedPolicy, PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  ApplicationLogLevel,
  Architecture,
  type CfnFunction,
  Code,
  Function as Lambda,
  LoggingFormat,
  Runtime,
  SystemLogLevel,
  Tracing,
} from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { portsIn } from '../../../shared/http/effective-ports.ts';
import type { Use } from '../../../shared/ports/uses.ts';
import type { Bundle } from '../../build/bundle.ts';
import type { DataStack } from '../data/data-stack.ts';
import { rolePath } from '../data/role-paths.ts';
import { acknowledge } from '../environments/acknowledge.ts';
import { type Environment, prefixOf } from '../environments/environment.ts';
import { grantsOf, WIDE_RESOURCES } from './grants.ts';
import { variablesOf } from './variables.ts';

export interface ServiceFunctionProps {
  readonly environment: Environment;
  /** The function is called `otl-<environment>-<name, with dashes>`. */
  readonly name: string;
  readonly description: string;
  readonly bundle: Bundle;
  /** The verbs that it calls. Its grants, the path of its role and its variables follow from them. */
  readonly uses?: readonly Use[];
  /** Where what they read and write is. */
  readonly data?: DataStack;
  /** What it may do besides. */
  readonly grants?: readonly PolicyStatement[];
  /** In the place of those that follow. */
  readonly variables?: Readonly<Record<string, string>>;
}

const TIME_OUT_SECONDS = 15;

export const functionNameOf = (environment: Environment, name: string): string =>
  `${prefixOf(environment)}-${name.replaceAll('/', '-')}`;

/**
 * Statements that name a key of another stack. A deployment asks for each reference between stacks, about one a second, so
 * functions of a stack that have the same statement share one policy with it.
 */
const KEY_SIDS: readonly (string | undefined)[] = [
  'TableKey',
  'TableKeyRead',
  'CodeMac',
  'WebhookMac',
  'SignerEnvelope',
];

const usesKey = ({ sid }: PolicyStatement): boolean => KEY_SIDS.includes(sid);

function keyPolicyOf(stack: Stack, statement: PolicyStatement): ManagedPolicy {
  const id = `Uses${statement.sid}`;
  const known = stack.node.tryFindChild(id) as ManagedPolicy | undefined;
  return known ?? new ManagedPolicy(stack, id, { statements: [statement] });
}

/** A Lambda function with its own log and role. The role allows its grants and its log, nothing else. */
export class ServiceFunction extends Construct {
  readonly function: Lambda;
  readonly logGroup: LogGroup;

  constructor(scope: Construct, id: string, props: ServiceFunctionProps) {
    super(scope, id);
    const { environment, uses = [], data } = props;
    const ports = portsIn(uses);
    const grants = [...(data ? grantsOf(uses, environment, data) : []), ...(props.grants ?? [])];
    this.logGroup = new LogGroup(this, 'Log', {
      retention: environment.logRetention,
      removalPolicy: environment.removalPolicy,
    });
    const ownLog = new PolicyStatement({
      sid: 'OwnLog',
      actions: ['logs:CreateLogStream', 'logs:PutLogEvents'],
      resources: [this.logGroup.logGroupArn],
    });
    const traces = new PolicyStatement({
      sid: 'Traces',
      actions: ['xray:PutTelemetryRecords', 'xray:PutTraceSegments'],
      resources: ['*'],
    });
    const own = grants.filter((grant) => !usesKey(grant));
    const role = new Role(this, 'Role', {
      // No name: a role with a new path is made before the old one is deleted.
      path: rolePath(environment, ports),
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
      inlinePolicies: { ports: new PolicyDocument({ statements: [ownLog, traces, ...own] }) },
      managedPolicies: grants.filter(usesKey).map((grant) => keyPolicyOf(Stack.of(this), grant)),
    });
    acknowledge(role, { 'IAM5[Resource::*]': WIDE_RESOURCES.Traces });
    this.function = new Lambda(this, 'Function', {
      functionName: functionNameOf(environment, props.name),
      description: props.description,
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      handler: 'index.handler',
      code: Code.fromAsset(props.bundle.dir),
      role: role.withoutPolicyUpdates(),
      memorySize: environment.functionMemory,
      timeout: Duration.seconds(TIME_OUT_SECONDS),
      environment: props.variables ?? variablesOf(ports, environment),
      logGroup: this.logGroup,
      loggingFormat: LoggingFormat.JSON,
      // LOG_LEVEL decides; of the platform's own lines only warnings are kept.
      applicationLogLevelV2: ApplicationLogLevel.TRACE,
      systemLogLevelV2: SystemLogLevel.WARN,
      // Lambda's own segments: start and duration, no header and no path.
      tracing: Tracing.ACTIVE,
    });
    // CDK adds a dependency on the role, for policies beside it. There are none, and the function names the role.
    (this.function.node.defaultChild as CfnFunction).addDeletionOverride('DependsOn');
  }
}
