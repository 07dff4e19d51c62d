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
    | 'toTableName'
    | 'localExceptions'
    | 'baseUrl'
    | 'es256'
    | 'unprotected'
    | 'leftOverStacks'
    | 'operator'
    | 'consoleOrigin'
  > {
  /** Returns the tenant that the command works in. */
  readonly tenant: () => Promise<Tenant>;
  /** Positional ID after the verb; empty if none was given. */
  readonly id: string;
  readonly body: Body;
  readonly page: PageRequest;
  /** Returns the value of an option that is not a field of the request body. */
  readonly option: (flag: string) => string | undefined;
  /** Adds context to the last audit line of a command, such as the user, the record or the events. */
  readonly audit: (context: AuditContext) => void;
  /** Operator audit log; absent if the command changes nothing. */
  readonly auditLog?: AuditLog;
}

export interface Command {
  readonly verb: string;
  readonly summary: string;
  /** True if `otl <name>` without a verb runs this command. */
  readonly isDefault?: true;
  readonly id?: 'required' | 'optional';
  /** Help text for the positional argument, if the argument is not an ID. */
  readonly idHelp?: string;
  /** Options that fill the request body. */
  readonly fields?: readonly Field[];
  /** Optional options outside the request body: the flag with its placeholder is the key, the help text is the value. */
  readonly options?: Readonly<Record<string, string>>;
  /** Required options outside the request body: the flag with its placeholder is the key, the help text is the value. */
  readonly required?: Readonly<Record<string, string>>;
  readonly paged?: boolean;
  /**
   * Audit event of a successful run, or `own-events` if the command writes its events itself. Absent if the command changes
   * nothing.
   */
  readonly changes?: AuditEvent | 'own-events';
  /** Returns the confirmation question to ask before the command runs, without the question mark. */
  readonly confirm?: (id: string) => string;
  readonly examples: readonly string[];
  /**
   * API call that performs the command. If `run` is also given, the API is called only with credentials that may call it;
   * without such credentials, `run` is used.
   */
  readonly request?: Request;
  /** Runs the command with AWS credentials. The command works directly on tables, keys and logs instead of calling the API. */
  readonly run?: (call: Call) => Promise<Outcome>;
}

/** Arguments and options that the user has typed. */
export interface CommandInput extends Pick<Call, 'id' | 'body' | 'option'> {}

/** API call of a command: the operation that the command needs, and the function that performs it. */
export interface Request {
  /** Returns the operation ID, or undefined if a command with these arguments needs AWS credentials. */
  readonly operation: (given: CommandInput) => string | undefined;
  readonly perform: (api: Api, given: CommandInput) => Promise<Outcome>;
}

/** Commands for one kind of record, called as `otl <name> <verb>`. If the verb equals the name, the command is `otl <name>`. */
export interface CommandGroup {
  readonly name: string;
  readonly summary: string;
  /** True if the records belong to the whole service, so the commands need no tenant. */
  readonly ofNoTenant?: true;
  /**
   * Returns the context of a command's first audit line. By default, the context is the record whose ID is the positional
   * argument.
   */
  readonly about?: (call: Pick<Call, 'id' | 'option'>) => AuditContext;
  readonly commands: readonly Command[];
}

/**
 * Returns a command that validates its body with the schema of the HTTP operation, so that `otl` and the API reject the same
 * bodies.
 */
export function withValidBody<Schema extends GenericSchema>(
  schema: Schema,
  run: (call: Call<InferOutput<Schema>>) => Promise<Outcome>,
): (call: Call) => Promise<Outcome> {
  return (call) => run({ ...call, body: check(schema, call.body) });
}

/** Returns the words of a command after `otl`, such as `user` and `show`. */
export const toCommandWords = ({ name }: CommandGroup, { verb }: Command): readonly string[] =>
  name === verb ? [name] : [name, verb];
