import { loadAwsServiceSpecSync } from '@aws-cdk/aws-service-spec';
import type { Property, PropertyType } from '@aws-cdk/service-spec-types';
import type { StackTemplate } from './synthesize.ts';

/**
 * Compares templates with the specification of CloudFormation's resource types: unknown types and properties, missing
 * required ones, values of another type. What an intrinsic function brings is not known before the deployment.
 */

type Fields = Readonly<Record<string, unknown>>;

const specification = loadAwsServiceSpecSync();

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function isIntrinsic(value: unknown): boolean {
  if (!isObject(value)) return false;
  const [key = '', ...others] = Object.keys(value);
  return others.length === 0 && (key === 'Ref' || key.startsWith('Fn::'));
}

/** CloudFormation takes text for numbers and booleans, and the other way round. */
const PRIMITIVES: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: (value) => ['string', 'number', 'boolean'].includes(typeof value),
  'date-time': (value) => typeof value === 'string',
  number: (value) => typeof value !== 'boolean' && !isObject(value) && Number.isFinite(Number(value)),
  integer: (value) => typeof value !== 'boolean' && !isObject(value) && Number.isInteger(Number(value)),
  boolean: (value) => typeof value === 'boolean' || value === 'true' || value === 'false',
  null: (value) => value === null,
};

function wrongProperties(path: string, given: Fields, known: Readonly<Record<string, Property>>): string[] {
  const missing = Object.entries(known).filter(([name, { required }]) => required && !(name in given));
  return [
    ...missing.map(([name]) => `${path}.${name} is missing`),
    ...Object.entries(given).flatMap(([name, value]) => {
      const property = known[name];
      return property
        ? wrongValue(`${path}.${name}`, value, property.type)
        : [`${path}.${name} is no property`];
    }),
  ];
}

function wrongValue(path: string, value: unknown, type: PropertyType): string[] {
  if (isIntrinsic(value)) return [];
  switch (type.type) {
    case 'json':
      return [];
    case 'tag':
      return isObject(value) && 'Key' in value && 'Value' in value ? [] : [`${path} is no tag`];
    case 'ref': {
      const { properties } = specification.get('typeDefinition', type.reference.$ref);
      return isObject(value) ? wrongProperties(path, value, properties) : [`${path} is no object`];
    }
    case 'array':
      return Array.isArray(value)
        ? value.flatMap((each, index) => wrongValue(`${path}[${index}]`, each, type.element))
        : [`${path} is no list`];
    case 'map':
      return isObject(value)
        ? Object.entries(value).flatMap(([key, each]) => wrongValue(`${path}.${key}`, each, type.element))
        : [`${path} is no map`];
    case 'union': {
      const attempts = type.types.map((each) => wrongValue(path, value, each));
      return attempts.find((wrong) => wrong.length === 0) ?? attempts[0] ?? [];
    }
    default:
      return PRIMITIVES[type.type]?.(value) ? [] : [`${path} is no ${type.type}`];
  }
}

/** Complaints about the resources of a template; nothing, when the list is empty. */
export function wrongResources({ Resources }: Pick<StackTemplate, 'Resources'>): string[] {
  return Object.entries(Resources).flatMap(([id, { Type, Properties = {} }]) => {
    // A custom resource has the properties that its function reads.
    if (Type.startsWith('Custom::') || Type === 'AWS::CloudFormation::CustomResource') return [];
    const [resource] = specification.lookup('resource', 'cloudFormationType', 'equals', Type);
    return resource ? wrongProperties(id, Properties, resource.properties) : [`${id}: ${Type} is no type`];
  });
}
