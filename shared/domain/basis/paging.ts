import type { Page, PageRequest } from '../../ports/directory.ts';
import { LIST_LIMIT } from './limits.ts';

/** The page that a caller requests, with `limit` as text. */
export interface PageQuery {
  readonly limit?: string | undefined;
  readonly cursor?: string | undefined;
}

export function readPageQuery({ limit, cursor }: PageQuery): PageRequest {
  return {
    limit: limit === undefined ? LIST_LIMIT : Number(limit),
    ...(cursor === undefined ? {} : { cursor }),
  };
}

/** A page of records on the wire. */
export interface ListRecord<Item> {
  readonly result: Item[];
  readonly next_cursor?: string;
}

export function listRecord<Stored, Item>(
  page: Page<Stored>,
  record: (stored: Stored) => Item,
): ListRecord<Item> {
  return {
    result: page.items.map((item) => record(item)),
    ...(page.nextCursor === undefined ? {} : { next_cursor: page.nextCursor }),
  };
}
