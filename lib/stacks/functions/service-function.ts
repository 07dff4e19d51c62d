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
import { listPorts } from '../../../shared/http/effective-ports.ts';
import type { PortMethod } from '../../../shared/ports/uses.ts';
import type { Bundle } from '../../build/bundle-folders.ts';
import type { DataStack } from '../data/data-stack.ts';
import { rolePath } from '../data/role-paths.ts';
import { acknowledge } from '../environments/acknowledge.ts';
import { type Environment, toNamePrefix } from '../environments/environment.ts';
import { listGrants, WIDE_RESOURCES } from './grants.ts';
import { buildVariables } from './variables.ts';

export interface ServiceFunctionProps {
  readonly environment: Environment;
  /** Name of the function without its prefix `otl-<environment>-`. Slashes become dashes. */
  readonly name: string;
  readonly description: string;
  readonly bundle: Bundle;
  /**
   * Port methods that the function calls. The port methods determine the function's grants, role path and environment
   * variables.
   */
  readonly uses?: readonly PortMethod[];
  /** Stack with the tables and keys that the port methods use. */
  readonly data?: DataStack;
  /** Policy statements in addition to those that the port methods require. */
  readonly grants?: readonly PolicyStatement[];
  /** Environment variables that replace default variables. */
  readonly variables?: Readonly<Record<string, string>>;
}

const TIME_OUT_SECONDS = 15;

export const toFunctionName = (environment: Environment, name: string): string =>
  `${toNamePrefix(environment)}-${name.replaceAll('/', '-')}`;

/**
 * Sids of policy statements that name a key of another stack. The functions of a stack share one policy for such a statement,
 * because each reference between stacks slows the deployment by about a second.
 */
const KEY_SIDS: readonly (string | undefined)[] = [
  'TableKey',
  'TableKeyRead',
  'CodeMac',
  'WebhookMac',
  'SignerEnvelope',
];

/**
 * Number of statements above which half of a role's statements are in a managed policy. IAM limits the inline policies of a
 * role to 10,240 characters.
 */
const INLINE_STATEMENTS = 30;

const usesKey = ({ sid }: PolicyStatement): boolean => KEY_SIDS.includes(sid);

function ensureKeyPolicy(stack: Stack, statement: PolicyStatement): ManagedPolicy {
  const id = `Uses${statement.sid}`;
  const known = stack.node.tryFindChild(id) as ManagedPolicy | undefined;
  return known ?? new ManagedPolicy(stack, id, { statements: [statement] });
}

/** Lambda function with its own log group and role. The role allows only the grants of the function and writing its log. */
export class ServiceFunction extends Construct {
  readonly function: Lambda;
  readonly logGroup: LogGroup;

  constructor(scope: Construct, id: string, props: ServiceFunctionProps) {
    super(scope, id);
    const { environment, uses = [], data } = props;
    const ports = listPorts(uses);
    const grants = [...(data ? listGrants(uses, environment, data) : []), ...(props.grants ?? [])];
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
    const managed = own.length > INLINE_STATEMENTS ? own.splice(own.length / 2) : [];
    const role = new Role(this, 'Role', {
      // The role has no fixed name, because a role with a new path is created before the old one is deleted.
      path: rolePath(environment, ports),
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
      inlinePolicies: { ports: new PolicyDocument({ statements: [ownLog, traces, ...own] }) },
      managedPolicies: [
        ...grants.filter(usesKey).map((grant) => ensureKeyPolicy(Stack.of(this), grant)),
        ...(managed.length > 0 ? [new ManagedPolicy(this, 'MorePorts', { statements: managed })] : []),
      ],
    });
    acknowledge(role, { 'IAM5[Resource::*]': WIDE_RESOURCES.Traces });
    this.function = new Lambda(this, 'Function', {
      functionName: toFunctionName(environment, props.name),
      description: props.description,
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      handler: 'index.handler',
      code: Code.fromAsset(props.bundle.dir),
      role: role.withoutPolicyUpdates(),
      memorySize: environment.functionMemory,
      timeout: Duration.seconds(TIME_OUT_SECONDS),
      environment: props.variables ?? buildVariables(ports, environment),
      logGroup: this.logGroup,
      loggingFormat: LoggingFormat.JSON,
      // LOG_LEVEL filters the function's own lines. Of Lambda's lines, only warnings are kept, unless each call is reported
      // (AWS Lambda, "Log level event mapping").
      applicationLogLevelV2: ApplicationLogLevel.TRACE,
      systemLogLevelV2: environment.reportLines ? SystemLogLevel.INFO : SystemLogLevel.WARN,
      // Traces contain only Lambda's own segments: start and duration, no header and no path.
      tracing: Tracing.ACTIVE,
    });
    // CDK adds a dependency on the role for policies that are attached later. No policy is attached later, and the function
    // refers to the role anyway.
    (this.function.node.defaultChild as CfnFunction).addDeletionOverride('DependsOn');
  }
}
