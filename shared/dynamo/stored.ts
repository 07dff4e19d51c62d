import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import type { Item } from './attributes.ts';

/** An undefined attribute is not stored. */
export const toStored = (item: object): Record<string, AttributeValue> =>
  marshall(item, { removeUndefinedValues: true });

export const fromStored = (stored: Record<string, AttributeValue>): Item => unmarshall(stored);
