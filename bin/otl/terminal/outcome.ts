import type { Page } from '../../../shared/ports/directory.ts';

export interface Column<Item> {
  readonly heading: string;
  readonly text: (item: Item) => string;
  /** True if the column may become narrower. Such columns share the terminal width that the fixed columns leave. */
  readonly flexible?: boolean;
  /** True if long text continues on the next line instead of being cut off. */
  readonly wraps?: boolean;
}

export type Outcome =
  | { readonly record: object; readonly note?: string }
  | {
      readonly list: { readonly result: readonly object[]; readonly next_cursor?: string };
      /** True if the HTTP API responds with an array instead of an object that contains the list. */
      readonly isBareArray?: true;
      readonly columns: readonly Column<never>[];
      readonly note?: string;
      /** Maximum length of a line. By default, only terminals limit the length. */
      readonly width?: number;
      /** Lines that are printed above the list, except with `--json`. */
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
