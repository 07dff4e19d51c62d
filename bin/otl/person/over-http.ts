import { pathsOf, verbsOf } from '../../../shared/http/path.ts';
import type { Operation } from '../../../shared/operation.ts';
import { RefusedError, UsageError } from '../terminal/failure.ts';
import type { Outcome } from '../terminal/outcome.ts';
import { columnsOf } from '../terminal/print.ts';
import { callAsPerson, ownRecord } from './tokens.ts';

/** Commands of a person who is logged in: each calls the operation that does the same. */

/** Where a verb is not that of the operation. */
const OPERATIONS: Readonly<Record<string, string>> = {
  'client rotate-secret': 'addClientSecret',
  'client revoke-secret': 'revokeClientSecret',
  'webhook rotate-secret': 'addWebhookSecret',
  'user unlock': 'unlockUser',
  'user phone-risk': 'setPhoneRisk',
  'user clear-phone-risk': 'clearPhoneRisk',
  'user recover': 'grantRecovery',
  'user cancel-erasure': 'cancelErasure',
  'user export': 'exportUser',
  'user timeline': 'userTimeline',
  'user test-code': 'readTestCode',
  'session list': 'listSessions',
  'session delete': 'endSessions',
  'passkey update': 'renamePasskey',
  'deliveries list': 'listDeliveries',
  'changes list': 'listChanges',
  'statistics show': 'getStatistics',
  'operator invite': 'inviteOperator',
  'operator confirm': 'confirmOperator',
  'operator set-role': 'setOperatorRole',
  'operator remove': 'removeOperator',
};
const VERBS: Readonly<Record<string, string>> = { show: 'get' };
/** The option that names a record of a path beside the one of the command. */
const OPTIONS: Readonly<Record<string, string>> = { appId: 'app', organizationId: 'org', userId: 'user' };

export interface PersonalCommand {
  /** As in `application list`. */
  readonly words: string;
  readonly id: string;
  readonly body: object;
  readonly option: (flag: string) => string | undefined;
  readonly tenantId: string | undefined;
}

const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

/** The name of the operation that does what a command does, if there is one. */
function nameOf({ words, option }: PersonalCommand): string {
  const [noun = '', verb = ''] = words.split(' ');
  const known = OPERATIONS[words] ?? `${VERBS[verb] ?? verb}${capital(noun)}${verb === 'list' ? 's' : ''}`;
  const isManagement = noun === 'client' && option('app') === undefined;
  return isManagement ? known.replace('Client', 'ManagementClient') : known;
}

function pathOf(row: Operation, { id, option }: PersonalCommand): string {
  return (pathsOf(row)[0] ?? '').replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = option(OPTIONS[name] ?? '') ?? option(name.replace(/Id$/, '')) ?? id;
    if (value === '') throw new UsageError('As a person, name the record by its ID.');
    return encodeURIComponent(value);
  });
}

function queryOf({ input }: Operation, { option }: PersonalCommand): string {
  const { entries = {} } = (input.query ?? {}) as { readonly entries?: object };
  const given = Object.keys(entries).flatMap((name) => {
    const value = option(name.replaceAll('_', '-')) ?? option(name.replace(/_id$/, ''));
    return value === undefined ? [] : [[name, value] as [string, string]];
  });
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`;
}

/** What operators give as argument and options, and the API takes in the body. */
function bodyOf({ input }: Operation, { words, id, body, option }: PersonalCommand): object | undefined {
  if (!input.json) return undefined;
  if (words === 'operator invite') return { email: id, role: option('role') };
  return words === 'operator set-role' ? { role: option('role') } : body;
}

function outcomeOf(answer: unknown): Outcome {
  if (answer === undefined) return { done: 'Done.' };
  const { result } = answer as { readonly result?: unknown };
  const listed = Array.isArray(answer) ? answer : result;
  if (!Array.isArray(listed)) return { record: (result ?? answer) as object };
  const isPlain = (value: unknown) => typeof value !== 'object' || value === null;
  const names = Object.entries((listed[0] ?? {}) as object).flatMap(([name, value]) =>
    isPlain(value) && name !== 'tenant_id' ? [name] : [],
  );
  const { next_cursor } = answer as { readonly next_cursor?: string };
  return {
    list: { result: listed as readonly object[], ...(next_cursor && { next_cursor }) },
    ...(Array.isArray(answer) && { bare: true as const }),
    columns: columnsOf<Readonly<Record<string, unknown>>>(...names.slice(0, 5)) as never,
  };
}

/** The tenant that is named, or the only one that the person operates. */
async function tenantOf(baseUrl: string, { tenantId }: PersonalCommand): Promise<string> {
  if (tenantId !== undefined) return tenantId;
  const [only, ...others] = (await ownRecord(baseUrl)).grants;
  if (!only || others.length > 0) throw new UsageError('Say for which tenant: --tenant <id>.');
  return only.tenant_id;
}

/** Runs a command over HTTP. Errors: `UsageError`, `RefusedError`, also for what only AWS credentials can do. */
export async function runAsPerson(baseUrl: string, command: PersonalCommand): Promise<Outcome> {
  const { operations } = await import('../../../functions/operations.ts');
  const row = operations[nameOf(command)];
  if (!row?.operators)
    throw new RefusedError(
      `otl ${command.words} takes AWS credentials, and you are logged in as a person: otl logout first.`,
    );
  const [method = 'GET'] = verbsOf(row);
  const path = `${pathOf(row, command)}${queryOf(row, command)}`;
  const tenantId = await tenantOf(baseUrl, command);
  return outcomeOf(await callAsPerson(baseUrl, { method, path, tenantId, json: bodyOf(row, command) }));
}
