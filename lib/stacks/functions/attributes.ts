import type { Access } from '../../../shared/dynamo/access.ts';
import { userItem } from '../../../shared/dynamo/people/user-item.ts';

/** What `recordStore` adds, and what finds a user by their name. */
const OF_RECORD = ['pk', 'sk', 'list_pk', 'list_sk', 'version', 'written_by', 'find_pk', 'find_sk'];

/** The attributes that the writes of a grant may name; undefined: any. */
export const attributesOf = ({ attributes }: Access): readonly string[] | undefined =>
  attributes === 'user' ? [...OF_RECORD, ...userItem.attributes] : attributes;
