import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { NativeAttributeValue } from '@aws-sdk/lib-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import type { Item } from './attributes.ts';

/**
 * Converts an item to DynamoDB's format and omits undefined attributes. This function replaces the SDK's document client, which
 * runs two middleware stacks per call.
 */
export const toStored = (
  item: Readonly<Record<string, NativeAttributeValue>>,
): Record<string, AttributeValue> => marshall(item, { removeUndefinedValues: true });

export const fromStored = (stored: Record<string, AttributeValue>): Item => unmarshall(stored);
