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

/** What the three writes ask under the lock of their item. */
declare module 'dynalite/db/index.js' {
  interface Refusal {
    readonly body: Record<string, unknown>;
  }
  const database: {
    checkConditional(write: Readonly<Record<string, unknown>>, item: unknown): Refusal | null | undefined;
  };
  export default database;
}

/** What dynalite knows of the parameters of a write; the others it drops. */
declare module 'dynalite/validations/*' {
  const validation: { readonly types: Record<string, unknown> };
  export default validation;
}
