import type { Page } from '../../../shared/ports/directory.ts';

/** A column of a list. */
export interface Column<Item> {
  readonly heading: string;
  readonly text: (item: Item) => string;
  /** Shares the room that the other columns leave. */
  readonly flexible?: boolean;
  /** Continues on the next line instead of being cut off. */
  readonly wraps?: boolean;
}

export type Outcome =
  | { readonly record: object; readonly note?: string }
  | {
      readonly list: { readonly result: readonly object[]; readonly next_cursor?: string };
      /** The HTTP API answers an array without an object around it. */
      readonly bare?: true;
      readonly columns: readonly Column<never>[];
      readonly note?: string;
      /** What people read above the list. */
      readonly notes?: readonly string[];
    }
  | { readonly done: string };

export function listOutcome<Stored, Item extends object>(
  page: Page<Stored>,
  record: (stored: Stored) => Item,
  columns: readonly Column<Item>[],
): Outcome {
  return {
    list: {
      result: page.items.map(record),
      ...(page.nextCursor === undefined ? {} : { next_cursor: page.nextCursor }),
    },
    columns,
  };
}
