import { callJson } from '../basis/call-json.ts';

export type Item = Readonly<Record<string, unknown>>;

interface ScanPage {
  readonly Items?: readonly Item[];
  readonly LastEvaluatedKey?: Item;
}

/** Yields all items of a table or index, page by page, with the operation Scan. */
export async function* scan(endpoint: string, request: object): AsyncGenerator<Item> {
  let from: Item | undefined;
  do {
    const page: ScanPage = await callJson(endpoint, 'DynamoDB_20120810.Scan', {
      ...request,
      ...(from && { ExclusiveStartKey: from }),
    });
    yield* page.Items ?? [];
    from = page.LastEvaluatedKey;
  } while (from !== undefined);
}
