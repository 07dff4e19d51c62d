import type { Resource, StackTemplate } from './synthesize.ts';

export const ACCOUNT = '111122223333';

export interface Statement {
  readonly Sid?: string;
  readonly Effect: string;
  readonly Action: readonly string[];
  readonly Resource?: readonly string[];
  readonly NotResource?: readonly string[];
  readonly Condition?: unknown;
}

export interface DeployedFunction {
  readonly name: string;
  readonly stack: string;
  readonly properties: Readonly<Record<string, unknown>>;
  readonly variables: Readonly<Record<string, string>>;
  readonly rolePath: string;
  readonly statements: readonly Statement[];
  readonly managedPolicies: readonly unknown[];
  readonly permissions: readonly Readonly<Record<string, unknown>>[];
  readonly urls: readonly Readonly<Record<string, unknown>>[];
}

export interface Route {
  readonly key: string;
  readonly api: string;
  /** Name of the Lambda function that the route invokes. */
  readonly target: string;
  /** ARN of the function, with the alias that receives the requests. */
  readonly targetArn: string;
  /** Role that API Gateway assumes. */
  readonly role: string;
}

/** Returns the ARN of a table, whose name does not depend on CloudFormation. */
export const toTableArn = (name: string): string => `arn:aws:dynamodb:eu-central-1:${ACCOUNT}:table/${name}`;

/** Attributes (`Fn::GetAtt`) whose value is a URL that AWS assigns. */
const ADDRESSES = new Set(['ApiEndpoint', 'FunctionUrl']);

type Templates = Readonly<Record<string, StackTemplate>>;
type Fields = Readonly<Record<string, unknown>>;

const list = <T>(value: T | readonly T[] | undefined): readonly T[] =>
  value === undefined ? [] : Array.isArray(value) ? (value as readonly T[]) : [value as T];

/**
 * Resources that CloudFormation would create from the templates. Every reference within or between stacks is resolved to
 * text. Names that AWS would choose are replaced with logical IDs.
 */
export class Cloud {
  readonly templates: Templates;
  private found: readonly DeployedFunction[] | undefined;

  constructor(templates: Templates) {
    this.templates = templates;
  }

  /** Returns all resources of one type, with resolved references. */
  resources(
    type: string,
  ): readonly { readonly stack: string; readonly id: string; readonly properties: Fields }[] {
    return Object.entries(this.templates).flatMap(([stack, { Resources }]) =>
      Object.entries(Resources)
        .filter(([, resource]) => resource.Type === type)
        .map(([id, resource]) => ({
          stack,
          id,
          properties: this.resolve(stack, resource.Properties ?? {}) as Fields,
        })),
    );
  }

  functions(): readonly DeployedFunction[] {
    this.found ??= this.findFunctions();
    return this.found;
  }

  private findFunctions(): readonly DeployedFunction[] {
    const roles = this.resources('AWS::IAM::Role');
    const policies = new Map(
      this.resources('AWS::IAM::ManagedPolicy').map(({ stack, id, properties }) => [
        `${stack} ${id}`,
        properties,
      ]),
    );
    const permissions = this.resources('AWS::Lambda::Permission').map(({ properties }) => properties);
    const urls = this.resources('AWS::Lambda::Url').map(({ properties }) => properties);
    return this.resources('AWS::Lambda::Function').map(({ stack, id, properties }) => {
      const arn = this.toArn(stack, id);
      const role = roles.find((each) => this.toArn(each.stack, each.id) === properties.Role);
      if (!role) throw new Error(`${id} has no role`);
      const attached = list<unknown>(role.properties.ManagedPolicyArns as readonly unknown[]);
      return {
        name: String(properties.FunctionName),
        stack,
        properties,
        variables:
          (properties.Environment as { readonly Variables: Record<string, string> } | undefined)?.Variables ??
          {},
        rolePath: String(role.properties.Path),
        statements: [
          ...list(role.properties.Policies as readonly Fields[]),
          ...attached.flatMap((policy): readonly Fields[] => {
            const found = policies.get(`${stack} ${policy}`);
            return found ? [found] : [];
          }),
        ].flatMap((policy: Fields) =>
          (policy.PolicyDocument as { readonly Statement: readonly Fields[] }).Statement.map(toStatement),
        ),
        managedPolicies: attached.filter((policy) => !policies.has(`${stack} ${policy}`)),
        permissions: permissions.filter((permission) => permission.FunctionName === arn),
        urls: urls.filter((url) => url.TargetFunctionArn === arn),
      };
    });
  }

  /** Returns the policy statements of a role. */
  listStatements(roleArn: string): readonly Statement[] {
    const role = this.resources('AWS::IAM::Role').find(({ stack, id }) => this.toArn(stack, id) === roleArn);
    const attached = list<unknown>(role?.properties.ManagedPolicyArns as readonly unknown[]);
    return [
      ...list(role?.properties.Policies as readonly Fields[]),
      ...this.resources('AWS::IAM::ManagedPolicy')
        .filter(({ stack, id }) => stack === role?.stack && attached.includes(id))
        .map(({ properties }) => properties),
    ].flatMap(({ PolicyDocument }) =>
      (PolicyDocument as { readonly Statement: readonly Fields[] }).Statement.map(toStatement),
    );
  }

  routes(): readonly Route[] {
    const integrations = new Map(
      this.resources('AWS::ApiGatewayV2::Integration').map(({ id, properties }) => [id, properties]),
    );
    return this.resources('AWS::ApiGatewayV2::Route').map(({ properties }) => {
      const integration = integrations.get(String(properties.Target).replace('integrations/', ''));
      if (integration?.IntegrationType !== 'AWS_PROXY' || integration.PayloadFormatVersion !== '2.0')
        throw new Error(`${properties.RouteKey} has no Lambda integration`);
      return {
        key: String(properties.RouteKey),
        api: String(properties.ApiId),
        target: String(integration.IntegrationUri).split(':')[6] ?? '',
        targetArn: String(integration.IntegrationUri),
        role: String(integration.CredentialsArn),
      };
    });
  }

  resolve(stack: string, value: unknown): unknown {
    if (Array.isArray(value)) return value.map((each) => this.resolve(stack, each));
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value);
    const [first] = entries;
    if (entries.length === 1 && first && (first[0] === 'Ref' || first[0].startsWith('Fn::')))
      return this.intrinsic(stack, first[0], first[1]);
    return Object.fromEntries(entries.map(([key, each]) => [key, this.resolve(stack, each)]));
  }

  private intrinsic(stack: string, name: string, argument: unknown): unknown {
    switch (name) {
      case 'Ref':
        return this.refer(stack, String(argument));
      case 'Fn::GetAtt': {
        const [id, attribute] = argument as [string, string];
        if (attribute === 'Arn') return this.toArn(stack, id);
        return ADDRESSES.has(attribute) ? `https://${id}.${attribute}/` : `${id}.${attribute}`;
      }
      case 'Fn::Join': {
        const [separator, parts] = argument as [string, unknown[]];
        return parts.map((part) => this.resolve(stack, part)).join(separator);
      }
      case 'Fn::FindInMap':
        return (argument as unknown[]).map((part) => this.resolve(stack, part)).join('.');
      case 'Fn::Select': {
        const [index, list] = argument as [number | string, unknown];
        return (this.resolve(stack, list) as unknown[])[Number(index)];
      }
      case 'Fn::Split': {
        const [separator, text] = argument as [string, unknown];
        return String(this.resolve(stack, text)).split(separator);
      }
      case 'Fn::Sub':
        return String(argument).replaceAll(/\$\{AWS::AccountId\}/g, ACCOUNT);
      case 'Fn::GetStackOutput': {
        const { StackName, OutputName } = argument as Record<string, string>;
        const output = this.templates[StackName ?? '']?.Outputs?.[OutputName ?? ''];
        if (!output) throw new Error(`${stack} refers to ${StackName}.${OutputName}, which is not there`);
        return this.resolve(StackName ?? '', output.Value);
      }
      default:
        throw new Error(`${name} is not known here`);
    }
  }

  private refer(stack: string, id: string): string {
    if (id === 'AWS::AccountId') return ACCOUNT;
    if (id === 'AWS::Partition') return 'aws';
    if (id === 'AWS::Region') return id;
    const found = this.resource(stack, id);
    // A reference to an alias resolves to the function of the alias.
    if (found.Type === 'AWS::Lambda::Alias')
      return `function:${this.resolve(stack, found.Properties?.FunctionName)}`;
    const { FunctionName, TableName } = this.resource(stack, id).Properties ?? {};
    return String(FunctionName ?? TableName ?? id);
  }

  private resource(stack: string, id: string): Resource {
    const resource = this.templates[stack]?.Resources[id];
    if (!resource) throw new Error(`${stack} has no resource ${id}`);
    return resource;
  }

  private toArn(stack: string, id: string): string {
    const { Type } = this.resource(stack, id);
    if (Type === 'AWS::DynamoDB::GlobalTable') return toTableArn(this.refer(stack, id));
    return `${Type === 'AWS::Lambda::Function' ? 'function' : Type}:${this.refer(stack, id)}`;
  }
}

const sorted = (value: unknown): readonly string[] | undefined =>
  value === undefined ? undefined : list(value as string | string[]).toSorted();

function toStatement({ Sid, Effect, Action, Resource, NotResource, Condition }: Fields): Statement {
  const resource = sorted(Resource);
  const notResource = sorted(NotResource);
  return {
    ...(Sid === undefined ? {} : { Sid: String(Sid) }),
    Effect: String(Effect),
    Action: sorted(Action) ?? [],
    ...(resource ? { Resource: resource } : {}),
    ...(notResource ? { NotResource: notResource } : {}),
    ...(Condition === undefined ? {} : { Condition }),
  };
}

/** Identification of a CloudWatch metric. */
export interface Metric {
  readonly Namespace: string;
  readonly MetricName: string;
  readonly Dimensions?: readonly { readonly Name: string; readonly Value: string }[];
}
export interface Query {
  readonly Id: string;
  readonly Expression?: string;
  readonly ReturnData?: boolean;
  readonly MetricStat?: { readonly Metric: Metric; readonly Period: number };
}
