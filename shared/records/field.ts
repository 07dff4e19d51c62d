import type { Unguarded } from './guard.ts';

/**
 * Field of a record: its type, default and storage, and the callers who may see and set it. Types, stored items, requests and
 * responses are derived from tables of such fields. The descriptions and limits of request fields are in shared/schemas.
 */
export type Field = Presence &
  (
    | {
        readonly kind: 'flag';
        readonly default?: boolean;
        /** Value that is stored when a request sends null for this field. If omitted, null restores the default. */
        readonly null?: boolean;
      }
    | { readonly kind: 'number' | 'date'; readonly default?: number }
    | { readonly kind: 'text'; readonly default?: string }
    | { readonly kind: 'texts'; readonly of?: readonly string[]; readonly default?: readonly string[] }
    | { readonly kind: 'numbers'; readonly default?: readonly number[] }
    | { readonly kind: 'json'; readonly default?: object }
    | { readonly kind: 'choice'; readonly of: readonly string[]; readonly default?: string }
    | { readonly kind: 'record'; readonly of: Fields; readonly default?: object }
    | { readonly kind: 'records'; readonly of: Fields; readonly default?: readonly object[] }
  );

type Setter = 'create' | 'update';
type Access = Setter | 'read' | 'answer' | 'none';

interface Presence {
  /** True if every stored record has the field. If a new record has no default for it, the request must contain a value. */
  readonly always?: true;
  /**
   * Access of operators to the field. Default: they can see and set it. `create`: they can set it only when they create the
   * record. `update`: only when they change the record. `read`: they can only see it. `answer`: they see a value computed for
   * the response, which is not stored. `none`: they cannot see it.
   */
  readonly access?: Access;
  /** Name of the field in requests and responses, if it is not the key in snake_case. */
  readonly wire?: string;
  /** Name of the stored attribute, if it is not the key in snake_case. */
  readonly stored?: string;
  /**
   * Operator role required to set the field. Default: the role required for the call, or `admin` if another field of the record
   * requires `developer`. `guarded`: the field affects access rights or which data leaves the service.
   */
  readonly operators?: 'developer' | 'admin' | 'guarded';
  /** Reason why the field is not `guarded`. Required if the operation checks the operator's role for each field. */
  readonly unguarded?: Unguarded;
  /** Name of the user claim with this value. Tokens contain the claim if a login requests it. */
  readonly claim?: string;
  /** True for personal data. The list of changes masks it, and `otl config export` omits it. */
  readonly personal?: true;
  /** False if `otl config export` omits the field, because it is secret or changes without an operator's action. */
  readonly exported?: false;
  /** True for a URL that the service calls. The list of changes masks its path, which may be a secret of the receiver. */
  readonly called?: true;
}

export type Fields = Readonly<Record<string, Field>>;

/**
 * Object that is stored as JSON text, because DynamoDB restricts nesting depth, numbers and map keys. In requests, it has the
 * type `Given`.
 */
export interface Json<T, Given = T> {
  readonly kind: 'json';
  readonly operators?: 'admin';
  readonly unguarded?: Unguarded;
  readonly personal?: true;
  readonly type?: T;
  readonly given?: Given;
}

export const isSetBy = (setter: Setter, { access }: Field): boolean =>
  access === undefined || access === setter;

export const toSnakeCase = (key: string): string =>
  key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Returns the names and types of the fields that operators may set in requests. */
export const listSettableFields = (fields: Fields): readonly (readonly [string, Field['kind']])[] =>
  Object.entries(fields)
    .filter(([, { access }]) => access === undefined)
    .map(([key, { wire = toSnakeCase(key), kind }]) => [wire, kind]);

// Optional fields without further options.
export const flag = { kind: 'flag' } as const;
export const number = { kind: 'number' } as const;
export const text = { kind: 'text' } as const;

/** Time that is stored in epoch seconds and returned in RFC 3339 format. */
const date = { kind: 'date', always: true, access: 'read' } as const;
export const dates = { createdAt: date, updatedAt: { ...date, exported: false } } as const;

type Snake<Key> = Key extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${Snake<Rest>}`
  : '';
/** Keys of `T` whose field type extends `Like`. */
type Keys<T, Like> = { [K in keyof T]: T[K] extends Like ? K : never }[keyof T];
/** Object type with all its properties written out, so that editors show them. */
type Plain<T> = T extends infer Whole ? { [K in keyof Whole]: Whole[K] } : never;

interface Sides<T> {
  readonly stored: StoredRecord<T>;
  readonly shown: RecordView<T>;
  readonly given: CreateInput<T>;
}
interface Values<F, Side extends keyof Sides<unknown>> {
  readonly flag: boolean;
  readonly number: number;
  readonly text: string;
  readonly texts: readonly (F extends { of: readonly (infer Word)[] } ? Word : string)[];
  readonly numbers: readonly number[];
  readonly date: Side extends 'shown' ? string : number;
  readonly json: F extends Json<infer T, infer Given> ? (Side extends 'given' ? Given : T) : never;
  readonly choice: F extends { of: readonly (infer Word)[] } ? Word : never;
  readonly record: F extends { of: infer T } ? Sides<T>[Side] : never;
  readonly records: F extends { of: infer T } ? readonly Sides<T>[Side][] : never;
}
export type Value<F, Side extends keyof Sides<unknown>> = F extends {
  kind: infer Kind extends keyof Values<F, Side>;
}
  ? Values<F, Side>[Kind]
  : never;

type Always<T> = Keys<T, { always: true }>;
type WithDefault<T> = Keys<T, { default: unknown }>;
type Computed<T> = Keys<T, { access: 'answer' }>;
type Inside<T, K extends keyof T> = { readonly [P in K]: Value<T[P], 'stored'> };
/** Fields with `access: 'answer'`, whose values are computed for a response. */
export type ComputedFields<T> = Inside<T, Computed<T> & Always<T>> & {
  readonly [K in Exclude<Computed<T>, Always<T>>]?: Value<T[K], 'stored'> | undefined;
};
/** Record as domain rules use it. It has the keys of the field table, so that editors can jump to the definition of a field. */
export type StoredRecord<T> = Plain<
  Inside<T, Exclude<Always<T>, Computed<T>>> & Partial<Inside<T, Exclude<keyof T, Always<T> | Computed<T>>>>
>;

type Wire<T, K extends keyof T> = K extends unknown
  ? T[K] extends { wire: infer Name extends string }
    ? Name
    : Snake<K>
  : never;
type Visible<T> = Exclude<keyof T, Keys<T, { access: 'none' }>>;
type Sure<T> = Visible<T> & (Always<T> | WithDefault<T>);
/** Record as operators see it in responses. */
export type RecordView<T> = Plain<
  { readonly [K in Sure<T> as Wire<T, K>]: Value<T[K], 'shown'> } & {
    readonly [K in Exclude<Visible<T>, Sure<T>> as Wire<T, K>]?: Value<T[K], 'shown'>;
  }
>;

type Settable<T, By extends Setter> = Exclude<keyof T, Keys<T, { access: Exclude<Access, By> }>>;
/** Fields that a request must set when it creates a record, and that a later change cannot remove. */
type Needed<T, By extends Setter> = Settable<T, By> & Exclude<Always<T>, WithDefault<T>>;
type Removed<F> = F extends { access: 'create' } ? undefined : null | undefined;
type Free<T, By extends Setter> = {
  readonly [K in Exclude<Settable<T, By>, Needed<T, By>> as Wire<T, K>]?:
    | Value<T[K], 'given'>
    | Removed<T[K]>;
};
/** Request body that creates a record. */
export type CreateInput<T> = Plain<
  { readonly [K in Needed<T, 'create'> as Wire<T, K>]: Value<T[K], 'given'> } & Free<T, 'create'>
>;
/** Request body that changes a record. A null value removes the field. */
export type UpdateInput<T> = Plain<
  { readonly [K in Needed<T, 'update'> as Wire<T, K>]?: Value<T[K], 'given'> | undefined } & Free<T, 'update'>
>;

export type ClaimNames<T> = {
  [K in keyof T]: T[K] extends { claim: infer Name extends string } ? Name : never;
}[keyof T];
