declare module 'dynalite' {
  import type { Server } from 'node:http';

  interface Options {
    readonly path?: string;
    readonly createTableMs?: number;
    readonly deleteTableMs?: number;
    readonly updateTableMs?: number;
  }
  export default function dynalite(options?: Options): Server;
}

declare module 'dynalite/db/index.js' {
  interface Refusal {
    readonly body: Record<string, unknown>;
  }
  interface Iterator {
    close(): Promise<void>;
    return?: () => Promise<void>;
  }
  const database: {
    create(options: { readonly path: string }): {
      readonly db: Record<'values' | 'keys', (range?: object) => Iterator> & {
        open(): Promise<void>;
        close(): Promise<void>;
      };
    };
    /** Evaluates the condition of a write. PutItem, UpdateItem and DeleteItem call this function while they lock the item. */
    checkConditional(write: Readonly<Record<string, unknown>>, item: unknown): Refusal | null | undefined;
  };
  export default database;
}

declare module 'dynalite/db/*Parser.js' {
  export interface Parser {
    /** Parses an expression. Returns its syntax tree, or the error message as a string. */
    parse(text: string, options: { readonly context: object }): unknown;
  }
  const parser: Parser;
  export default parser;
}

/** Parameters that dynalite accepts for an operation. dynalite ignores all other parameters. */
declare module 'dynalite/validations/*' {
  const validation: { readonly types: Record<string, unknown> };
  export default validation;
}
