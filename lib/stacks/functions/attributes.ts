import type { Access } from '../../../shared/dynamo/access.ts';
import { userItem } from '../../../shared/dynamo/people/user-item.ts';

/** Attributes that `recordStore` adds to an item, and those of the index that finds users by name. */
const OF_RECORD = ['pk', 'sk', 'list_pk', 'list_sk', 'version', 'written_by', 'find_pk', 'find_sk'];

/** Returns the attributes that writes under a grant may name, or undefined if all are allowed. */
export const listAttributes = ({ attributes }: Access): readonly string[] | undefined =>
  attributes === 'user' ? [...OF_RECORD, ...userItem.attributes] : attributes;
