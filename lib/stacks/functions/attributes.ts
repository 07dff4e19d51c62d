import type { Access } from '../../../shared/dynamo/access.ts';
import { userItem } from '../../../shared/dynamo/people/user-item.ts';

/** Attributes that `recordStore` adds to an item, including those of the index that finds users by name. */
const OF_RECORD = ['pk', 'sk', 'list_pk', 'list_sk', 'version', 'written_by', 'find_pk', 'find_sk'];

/** Returns the attributes that a write to a table part may name. Returns undefined if all attributes are allowed. */
export const listAttributes = ({ attributes }: Access): readonly string[] | undefined =>
  attributes === 'user' ? [...OF_RECORD, ...userItem.attributes] : attributes;
