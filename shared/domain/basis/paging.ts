import type { Page, PageRequest } from '../../ports/directory.ts';
import { LIST_LIMIT } from './limits.ts';

/** Pagination parameters of a request. `limit` is a number as text. */
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

/** Page of a list, in the form in which the API returns it. */
export interface ListRecord<Item> {
  readonly result: Item[];
  readonly next_cursor?: string;
}

export function toListRecord<Stored, Item>(
  page: Page<Stored>,
  record: (stored: Stored) => Item,
): ListRecord<Item> {
  return {
    result: page.items.map((item) => record(item)),
    ...(page.nextCursor === undefined ? {} : { next_cursor: page.nextCursor }),
  };
}
