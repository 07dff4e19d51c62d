import type { GenericSchema, InferOutput } from 'valibot';
import { check } from '../../../shared/http/parse.ts';
import type { AuditContext } from '../../../shared/operation.ts';
import type { AuditEvent } from '../../../shared/ports/audit.ts';
import type { PageRequest, Tenant } from '../../../shared/ports/directory.ts';
import type { Target } from '../target/target.ts';
import type { Outcome } from '../terminal/outcome.ts';
import type { Api } from './api.ts';
import type { AuditLog } from './audit-log.ts';
import type { Field } from './fields.ts';

export interface Call<Body = unknown>
  extends Pick<
    Target,
    | 'ports'
    | 'keyMaker'
    | 'restored'
    | 'fromVault'
    | 'tableNameOf'
    | 'leave'
    | 'baseUrl'
    | 'es256'
    | 'unprotected'
    | 'operator'
    | 'consoleOrigin'
  > {
  /** The tenant that the command works in. */
  readonly tenant: () => Promise<Tenant>;
  /** The ID given after the verb; empty when there is none. */
  readonly id: string;
  readonly body: Body;
  readonly page: PageRequest;
  /** The value of a further option. */
  readonly option: (flag: string) => string | undefined;
  /** Adds to the last line of a command that changes something: its user, its record, its events. */
  readonly audit: (context: AuditContext) => void;
  /** Absent when the command changes nothing. */
  readonly auditLog?: AuditLog;
}

export interface Command {
  readonly verb: string;
  readonly summary: string;
  /** `otl <name>` without a verb runs it. */
  readonly isDefault?: true;
  readonly id?: 'required' | 'optional';
  /** Help of the argument, when it is not an ID. */
  readonly idHelp?: string;
  /** Options that make the body. */
  readonly fields?: readonly Field[];
  /** Further options: flag with its value → help. */
  readonly options?: Readonly<Record<string, string>>;
  /** Further options that must be given. */
  readonly required?: Readonly<Record<string, string>>;
  readonly paged?: boolean;
  /** The event of a success; `own-events`: the command audits its events itself. Absent: it changes nothing. */
  readonly changes?: AuditEvent | 'own-events';
  /** The question before the command runs, without the question mark. */
  readonly confirm?: (id: string) => string;
  readonly examples: readonly string[];
  /** Calls the API; with `run` too, where somebody is there who may. */
  readonly request?: Request;
  /** Works on tables, keys and logs with AWS credentials. */
  readonly run?: (call: Call) => Promise<Outcome>;
}

/** Arguments and options of a command. */
export interface Given extends Pick<Call, 'id' | 'body' | 'option'> {}

/** How a command calls the API. */
export interface Request {
  /** The name of the operation in the table; undefined: what is given takes AWS credentials. */
  readonly operation: (given: Given) => string | undefined;
  readonly perform: (api: Api, given: Given) => Promise<Outcome>;
}

/** The commands of one kind of record: `otl <name> <verb>`; `otl <name>` for a verb that has its name. */
export interface CommandGroup {
  readonly name: string;
  readonly summary: string;
  /** Its records belong to the whole service. */
  readonly ofNoTenant?: true;
  /** The audit context before the command begins; by default the record of the ID. */
  readonly about?: (call: Pick<Call, 'id' | 'option'>) => AuditContext;
  readonly commands: readonly Command[];
}

/** Reads the body with the schema of the HTTP operation, so the command line and the API refuse the same. */
export function withBody<Schema extends GenericSchema>(
  schema: Schema,
  run: (call: Call<InferOutput<Schema>>) => Promise<Outcome>,
): (call: Call) => Promise<Outcome> {
  return (call) => run({ ...call, body: check(schema, call.body) });
}

/** The words of a command after `otl`. */
export const wordsOfCommand = ({ name }: CommandGroup, { verb }: Command): readonly string[] =>
  name === verb ? [name] : [name, verb];
