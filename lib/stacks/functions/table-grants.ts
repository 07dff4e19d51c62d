import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Access } from '../../../shared/dynamo/access.ts';
import { listMethods, listPorts } from '../../../shared/http/effective-ports.ts';
import type { PortMethod } from '../../../shared/ports/uses.ts';
import type { DataStack } from '../data/data-stack.ts';
import { TABLE_READ, TABLE_WRITE } from '../data/key-policies.ts';
import type { Environment } from '../environments/environment.ts';
import { listAttributes } from './attributes.ts';
import { isTablePort, listAccessByMethod, type TablePort } from './port-access.ts';

const READS: readonly string[] = ['dynamodb:GetItem', 'dynamodb:BatchGetItem', 'dynamodb:Query'];

const toSid = (port: string): string => `${port[0]?.toUpperCase()}${port.slice(1)}`;

/**
 * Part of a table that a port can access, with the IAM actions that the used port methods need. The actions are empty if no
 * used method accesses the part.
 */
interface Part extends Omit<Access, 'attributes'> {
  readonly sid: string;
  readonly attributes?: readonly string[];
}

const isSamePlace = (one: Access) => (other: Access) =>
  one.table === other.table && one.index === other.index && one.prefix === other.prefix;

/** Splits the IAM actions on a part of a table into actions on all attributes and actions on only some attributes. */
function byAttributes(part: Part, used: readonly Access[]): readonly Part[] {
  const uniqueActions = (accesses: readonly Access[]) => [
    ...new Set(accesses.flatMap(({ actions }) => actions)),
  ];
  const free = uniqueActions(used.filter(({ attributes }) => !attributes));
  const limited = used.filter(
    (access) => access.attributes && !access.actions.every((each) => free.includes(each)),
  );
  const attributes = [...new Set(limited.flatMap((access) => listAttributes(access) ?? []))];
  const actions = uniqueActions(limited).filter((action) => !free.includes(action));
  return [
    { ...part, actions: free },
    { ...part, sid: `${part.sid}Limited`, actions, attributes },
  ];
}

/** Returns the parts of tables that a port can access. The Sid of a part does not depend on the port methods in use. */
function listParts(port: TablePort, uses: readonly PortMethod[]): readonly Part[] {
  const verbs = listMethods(uses, port);
  const every = Object.entries(listAccessByMethod(port)).flatMap(([verb, accesses]) =>
    accesses.map((access) => ({ access, isUsed: verbs?.includes(verb) ?? true })),
  );
  const places = every
    .map(({ access }) => access)
    .filter((access, index, all) => all.findIndex(isSamePlace(access)) === index);
  return places.flatMap(({ attributes: _, ...place }) => {
    const ofKind = places.filter(({ index }) => (index === undefined) === (place.index === undefined));
    const number = ofKind.findIndex(isSamePlace(place)) + 1;
    const used = every.filter(({ access, isUsed }) => isUsed && isSamePlace(place)(access));
    const sid = `${toSid(port)}${number === 1 ? '' : number}${place.index ? 'List' : ''}`;
    return byAttributes(
      { ...place, sid },
      used.map(({ access }) => access),
    );
  });
}

const listTableParts = (uses: readonly PortMethod[]): readonly Part[] =>
  listPorts(uses)
    .filter(isTablePort)
    .flatMap((port) => listParts(port, uses))
    .filter(({ actions }) => actions.length > 0);

/** Converts a key prefix to an IAM pattern. If the prefix ends with `#`, longer keys that begin with it also match. */
const toPattern = (prefix: string): string => (prefix.endsWith('#') ? `${prefix}*` : prefix);

/**
 * Builds the policy statement that grants access to part of a table. IAM's operator `ForAllValues` also matches requests
 * without keys, such as scans, so a `Null` condition requires keys. A write that may change only some attributes must not
 * return values, because the response would reveal the other attributes.
 */
function tableGrant(
  { sid, table, index, prefix, actions, attributes }: Part,
  data: DataStack,
): PolicyStatement {
  const tableArn = data.tableArns[table];
  return new PolicyStatement({
    sid,
    actions: [...actions],
    resources: [index ? `${tableArn}/index/${index}` : tableArn],
    conditions: {
      'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': [toPattern(prefix)] },
      ...(attributes && {
        'ForAllValues:StringEquals': { 'dynamodb:Attributes': attributes },
        StringEqualsIfExists: { 'dynamodb:ReturnValues': 'NONE' },
      }),
      Null: { 'dynamodb:LeadingKeys': 'false', ...(attributes && { 'dynamodb:Attributes': 'false' }) },
    },
  });
}

/** Returns the policy statement for the KMS key of the tables. DynamoDB uses the key on behalf of readers and writers. */
function tableKeyGrants(
  parts: readonly Part[],
  environment: Environment,
  data: DataStack,
): readonly PolicyStatement[] {
  if (parts.length === 0) return [];
  const onlyReads = parts.every(({ actions }) => actions.every((action) => READS.includes(action)));
  return [
    new PolicyStatement({
      sid: onlyReads ? 'TableKeyRead' : 'TableKey',
      actions: onlyReads ? TABLE_READ : TABLE_WRITE,
      resources: [data.tableKey.keyArn],
      conditions: { StringEquals: { 'kms:ViaService': `dynamodb.${environment.region}.amazonaws.com` } },
    }),
  ];
}

/** Returns the policy statements for the used table methods: one for each part of a table, with the port's name as Sid. */
export function listTableGrants(
  uses: readonly PortMethod[],
  environment: Environment,
  data: DataStack,
): readonly PolicyStatement[] {
  const parts = listTableParts(uses);
  return [...parts.map((part) => tableGrant(part, data)), ...tableKeyGrants(parts, environment, data)];
}
