import type { GenericSchema, InferOutput } from 'valibot';
import type { KeyMaker } from '../../../lib/operator/signing-keys/key-maker.ts';
import { check } from '../../../shared/http/parse.ts';
import type { AuditContext, AuditEvent } from '../../../shared/operation.ts';
import type { Page, PageRequest, Tenant } from '../../../shared/ports/directory.ts';
import type { Trail } from './audit-log.ts';
import type { Field } from './fields.ts';
import type { OperatorPorts, Place } from './place.ts';

export interface Call<Body = unknown> {
  readonly ports: OperatorPorts;
  /** What makes keys in the named account of AWS. */
  readonly keyMaker: (account: string) => Promise<KeyMaker>;
  /** A table that was restored, in the place of the one that it is a copy of. */
  readonly restored: Place['restored'];
  readonly mailFrom: string;
  /** The tenant that the command works in. */
  readonly tenant: () => Promise<Tenant>;
  /** The ID given after the verb; empty when there is none. */
  readonly id: string;
  readonly body: Body;
  readonly page: PageRequest;
  /** The value of a further option. */
  readonly option: (flag: string) => string | undefined;
  /** What the log shall tell of a command that changes something: whom and what it is about. */
  readonly audit: (note: AuditContext) => void;
  /** Absent when nothing is changed. */
  readonly trail?: Trail;
}

/** A column of a list: its heading, and where its text comes from. */
export interface Column<Item> {
  readonly heading: string;
  readonly text: (item: Item) => string;
  /** Takes what the other columns leave; one or several in a list. */
  readonly flexible?: boolean;
  /** What does not fit goes on in the next line instead of being cut off. */
  readonly wraps?: boolean;
}

export type Outcome =
  | { readonly record: object; readonly note?: string }
  | {
      readonly list: { readonly result: readonly object[]; readonly next_cursor?: string };
      /** The HTTP API answers the entries alone, without an object around them. */
      readonly bare?: true;
      readonly columns: readonly Column<never>[];
    }
  | { readonly done: string };

export interface Command {
  readonly verb: string;
  readonly summary: string;
  readonly id?: 'required' | 'optional';
  /** What the argument is, where it is no ID. */
  readonly idHelp?: string;
  /** Options that make the body. */
  readonly fields?: readonly Field[];
  /** Further options: flag with its value → help. */
  readonly options?: Readonly<Record<string, string>>;
  /** Further options that must be given. */
  readonly required?: Readonly<Record<string, string>>;
  readonly paged?: boolean;
  /** What it means that the command went well; `noted`: it notes its events itself. Absent: it changes nothing. */
  readonly changes?: AuditEvent | 'noted';
  /** What the operator is asked to confirm, without the question mark. */
  readonly confirm?: (id: string) => string;
  readonly examples: readonly string[];
  readonly run: (call: Call) => Promise<Outcome>;
}

export interface Noun {
  readonly name: string;
  readonly summary: string;
  /** Its records belong to the whole service. */
  readonly ofNoTenant?: true;
  /** What a command is about before it has begun; by default the record of the ID. */
  readonly about?: (call: Pick<Call, 'id' | 'option'>) => AuditContext;
  readonly commands: readonly Command[];
}

/** A command whose body the schema of the HTTP operation reads: what it refuses, the command line refuses. */
export function withBody<Schema extends GenericSchema>(
  schema: Schema,
  run: (call: Call<InferOutput<Schema>>) => Promise<Outcome>,
): (call: Call) => Promise<Outcome> {
  return (call) => run({ ...call, body: check(schema, call.body) });
}

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
    columns: columns as readonly Column<never>[],
  };
}
