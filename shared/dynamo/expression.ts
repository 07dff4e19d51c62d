import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { toStored } from './stored.ts';

/** Condition of a write. `#name` refers to the attribute of that name, `:name` to one of `values`. */
export interface WriteCondition {
  readonly condition?: string;
  readonly values?: Readonly<Record<string, unknown>>;
  /** Names of attributes or map keys that are computed at run time, by their alias in the expression. */
  readonly names?: Readonly<Record<string, string>>;
}

export interface ItemUpdate extends WriteCondition {
  /** Attributes to set. An undefined value removes the attribute. */
  readonly set?: Readonly<Record<string, unknown>>;
  /** Additional clauses of the SET expression, for values that DynamoDB computes. */
  readonly compute?: readonly string[];
  /** Paths of attributes or map entries to remove, in addition to the attributes that `set` removes. */
  readonly remove?: readonly string[];
  /** Members to add to sets and amounts to add to numbers. */
  readonly add?: Readonly<Record<string, unknown>>;
  /** Members to remove from sets, by the name of the set's attribute. */
  readonly removeMembers?: Readonly<Record<string, unknown>>;
  /**
   * True if the response must not contain the item. If the IAM policy restricts attributes, IAM rejects a write that returns
   * the whole item.
   */
  readonly returnsNothing?: true;
  /** True if the response must contain the item as it was before the change. */
  readonly returnsOld?: true;
}

interface Expressions {
  ConditionExpression?: string;
  ReturnValuesOnConditionCheckFailure?: 'ALL_OLD';
  UpdateExpression?: string;
  ExpressionAttributeNames?: Record<string, string>;
  ExpressionAttributeValues?: Record<string, AttributeValue>;
}

/** Builds the expressions of a write. Attribute names are always aliased, because some are reserved words. */
export function expressions(change: ItemUpdate): Expressions {
  const given = new Map(Object.entries(change.values ?? {}));
  const sets = [...(change.compute ?? [])];
  const removes = [...(change.remove ?? [])];
  for (const [name, value] of Object.entries(change.set ?? {})) {
    if (value === undefined) removes.push(`#${name}`);
    else sets.push(`#${name} = :set_${name}`);
    given.set(`set_${name}`, value);
  }
  const adds = Object.entries(change.add ?? {}).map(([name, value]) => {
    given.set(`add_${name}`, value);
    return `#${name} :add_${name}`;
  });

  const drops = Object.entries(change.removeMembers ?? {}).map(([name, value]) => {
    given.set(`drop_${name}`, value);
    return `#${name} :drop_${name}`;
  });

  const condition = change.condition ?? '';
  const update = [
    clause('SET', sets),
    clause('REMOVE', removes),
    clause('ADD', adds),
    clause('DELETE', drops),
  ]
    .filter(Boolean)
    .join(' ');
  const names: Record<string, string> = {};
  const values: Record<string, unknown> = {};
  for (const [token, sign, name = ''] of `${update} ${condition}`.matchAll(/([#:])(\w+)/g)) {
    if (sign === '#') names[token] = change.names?.[name] ?? name;
    else values[token] = given.get(name);
  }
  return {
    // If the condition fails, the same call returns the item. A separate read would cost another call and could see a different
    // item.
    ...(condition !== '' && {
      ConditionExpression: condition,
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    }),
    ...(update !== '' && { UpdateExpression: update }),
    ...(Object.keys(names).length > 0 && { ExpressionAttributeNames: names }),
    ...(Object.keys(values).length > 0 && { ExpressionAttributeValues: toStored(values) }),
  };
}

function clause(verb: string, parts: readonly string[]): string {
  return parts.length > 0 ? `${verb} ${parts.join(', ')}` : '';
}
