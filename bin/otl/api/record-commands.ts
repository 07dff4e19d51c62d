import { operations } from '../../../functions/operations.ts';
import type { Operation } from '../../../shared/operation.ts';
import type { Api } from '../engine/api.ts';
import type { Command, CommandInput } from '../engine/command.ts';
import {
  type Body,
  type Field,
  listBodyFields,
  listSchemaFields,
  toFlag,
  toParameterOptions,
} from '../engine/fields.ts';
import { UsageError } from '../terminal/failure.ts';
import type { Outcome } from '../terminal/outcome.ts';
import { callForClient } from './clients.ts';
import { type Noun, nouns, type Verb } from './nouns.ts';
import { buildRequest, listPathParameters, listQueryParameters } from './request-of.ts';

const PAGING = ['limit', 'cursor'];

const capitalise = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

/** Returns the operation ID for a noun and a verb, such as `getUser` for `otl user show`. */
const toOperationId = (noun: string, verb: string): string =>
  `${verb === 'show' ? 'get' : verb}${capitalise(noun)}${verb === 'list' ? 's' : ''}`;

export function requireOperation(name: string): Operation {
  const row = operations[name];
  if (!row) throw new Error(`there is no operation ${name}`);
  return row;
}

/** Converts an API response to what the command prints: a record, a list, or the text `done` for a response without content. */
function toOutcome(
  answer: unknown,
  { columns, note, notes }: Verb,
  { done, option }: { readonly done: string; readonly option: CommandInput['option'] },
): Outcome {
  if (answer === undefined) return { done };
  const { result } = answer as { readonly result?: unknown };
  const listed = Array.isArray(answer) ? answer : result;
  if (!Array.isArray(listed)) {
    const record = (result ?? answer) as object;
    const words = [secretNote(record), note?.(record as never)].filter(Boolean).join('\n');
    return { record, ...(words && { note: words }) };
  }
  return {
    list: Array.isArray(answer) ? { result: answer } : (answer as { readonly result: readonly object[] }),
    ...(Array.isArray(answer) && { isBareArray: true as const }),
    columns: columns ?? [],
    ...(notes && { notes: notes(answer as never, option) }),
  };
}

function secretNote(record: object): string | undefined {
  if ('client_secret' in record)
    return 'Save client_secret now. It is stored as a hash and cannot be shown again.';
  if ('secret' in record)
    return 'Save secret now. It cannot be shown again. Receivers verify webhook-signature with it (Standard Webhooks).';
  return undefined;
}

interface CommandNames {
  readonly noun: string;
  readonly verb: string;
  readonly argument: string | undefined;
  readonly names: readonly [string, ...string[]];
}

/**
 * Returns the ID of the operation to call: the alternative operation whose own parameter is given as an option, otherwise the
 * first operation.
 */
function chooseOperation(
  { noun, names: [first, ...others], argument }: CommandNames,
  { id, option }: CommandInput,
): string {
  if (id !== '' || others.length === 0) return first;
  const flags = others.map((name) => toFlag(ownParameter(requireOperation(name))));
  const found = others[flags.findIndex((flag) => option(flag) !== undefined)];
  if (found === undefined && argument)
    throw new UsageError(`Name the ${noun}: <id>, ${flags.map((flag) => `--${flag}`).join(', ')}.`);
  return found ?? first;
}

const ownParameter = (row: Operation): string =>
  listPathParameters(row)[0] ?? listQueryParameters(row)[0] ?? '';

async function perform(made: CommandNames, verb: Verb, api: Api, given: CommandInput): Promise<Outcome> {
  const call = (name: string) =>
    made.noun === 'client'
      ? callForClient(api, name, made.argument, given)
      : api.call(buildRequest(requireOperation(name), made.argument, given));
  const name = chooseOperation(made, given);
  const answer = (await call(name)) ?? (verb.thenShows && (await call(verb.thenShows)));
  const done = `Done: ${[made.noun, made.verb, given.id].filter(Boolean).join(' ')}.`;
  return toOutcome(answer, verb, { done, option: given.option });
}

/** Returns the body fields that the command offers as options: all except the positional argument. */
function bodyFields(row: Operation, { onlyFields }: Verb, argument: string | undefined): readonly Field[] {
  const body = row.input.json as Body | undefined;
  if (!body) return [];
  if (onlyFields)
    return listSchemaFields(
      body,
      Object.entries(onlyFields).map(([flag, field]) => ({ flag, field, required: true })),
    );
  return listBodyFields(body).filter(({ field }) => field !== argument);
}

/** Builds the example for a command's help text from the required options, or from the first option if none is required. */
function buildExample(
  fields: readonly Field[],
  required: Readonly<Record<string, string>>,
  hasId: boolean,
): string {
  const needed = fields.filter((field) => field.required);
  const shown = needed.length > 0 ? needed : fields.slice(0, 1);
  return [
    ...(hasId ? ['0a1b2c'] : []),
    ...Object.keys(required).map((spec) => `--${spec.split(' ')[0]} 3d4e5f`),
    ...shown.map(({ flag, example }) => `--${flag} ${example}`),
  ].join(' ');
}

function buildCommand(noun: string, of: Noun, verb: string, given: Verb): RecordCommand {
  const entry: Verb = { ...(of.columns && { columns: of.columns }), ...given };
  const first = entry.operation ?? toOperationId(noun, verb);
  const row = requireOperation(first);
  const others = entry.alternatives ?? [];
  const isNew = verb === 'create' || verb === 'list';
  const argument =
    (entry.argument === undefined ? (isNew ? null : of.argument) : entry.argument) ?? undefined;
  const made: CommandNames = { noun, verb, argument, names: [first, ...others] };
  const inUrl = (each: Operation) => {
    const path = toParameterOptions(
      each.input.path as Body | undefined,
      listPathParameters(each).filter((name) => name !== argument),
    );
    const query = toParameterOptions(
      each.input.query as Body | undefined,
      listQueryParameters(each).filter((name) => name !== argument && !PAGING.includes(name)),
    );
    return {
      required: { ...path.required, ...query.required },
      options: { ...path.options, ...query.options },
    };
  };
  const own = inUrl(row);
  const { 'app <id>': app, ...required } = own.required;
  const ofOthers = others.flatMap((name) =>
    Object.keys(inUrl(requireOperation(name)).required).map((flag) => ({
      [flag]: requireOperation(name).summary,
    })),
  );
  const fields = bodyFields(row, entry, argument);
  const summary = row.summary.replaceAll('`', '');
  return {
    verb,
    summary,
    ...(entry.isDefault && { isDefault: true }),
    ...(argument !== undefined && { id: others.length > 0 ? 'optional' : 'required' }),
    fields,
    required,
    options: Object.assign({}, own.options, ...ofOthers, app && { 'app <id>': app }),
    paged: listQueryParameters(row).includes('limit'),
    ...((entry.asksConfirmation ?? verb === 'delete') && {
      confirm: (id: string) => [summary.replace(/^(\w+)s /, '$1 '), id].filter(Boolean).join(': '),
    }),
    examples: entry.examples ?? [buildExample(fields, required, argument !== undefined)],
    request: {
      operation: (typed) => chooseOperation(made, typed),
      perform: (api, typed) => perform(made, entry, api, typed),
    },
  };
}

type Nouns = typeof nouns;

/** Command that calls the API and therefore always has a `request`. */
export type RecordCommand = Command & Required<Pick<Command, 'request'>>;

/** Returns the API commands for one noun of `otl`, such as `user`, by verb. */
export function recordCommands<Name extends keyof Nouns>(
  noun: Name,
): Readonly<Record<keyof Nouns[Name]['verbs'] & string, RecordCommand>> {
  const of: Noun = nouns[noun];
  return Object.fromEntries(
    Object.entries(of.verbs).map(([verb, entry]) => [verb, buildCommand(noun, of, verb, entry)]),
  ) as ReturnType<typeof recordCommands<Name>>;
}

/** Returns the IDs of all operations that have a command. */
export const operationNames = (): readonly string[] =>
  Object.entries<Noun>(nouns).flatMap(([noun, { verbs }]) =>
    Object.entries<Verb>(verbs).flatMap(([verb, { operation, alternatives = [] }]) => [
      operation ?? toOperationId(noun, verb),
      ...alternatives,
    ]),
  );
