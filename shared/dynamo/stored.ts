import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { NativeAttributeValue } from '@aws-sdk/lib-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import type { Item } from './attributes.ts';

/** As the SDK's document client does, which makes two stacks of middleware for each call. An undefined attribute is not stored. */
export const toStored = (
  item: Readonly<Record<string, NativeAttributeValue>>,
): Record<string, AttributeValue> => marshall(item, { removeUndefinedValues: true });

export const fromStored = (stored: Record<string, AttributeValue>): Item => unmarshall(stored);
