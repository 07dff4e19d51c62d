import type { Unguarded } from './guard.ts';

/**
 * What a record has, field by field: its kind, whether every record has it, what its absence means, who sees and sets it. Types,
 * stored items, requests and answers are made from these tables; the words and bounds of requests are in shared/schemas.
 */
export type Field = Presence &
  (
    | {
        readonly kind: 'flag';
        readonly default?: boolean;
        /** What null makes of it, where that is not the default. */
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
  /** Every stored record has it; a new one begins with the default, or is asked for it. */
  readonly always?: true;
  /**
   * Absent: operators see it and set it. `create`, `update`: they set it only then. `read`: they only see it. `answer`: likewise,
   * and it is made for an answer and not stored. `none`: they do not see it either.
   */
  readonly access?: Access;
  /** Its name in requests and answers, where that is not the key with underscores. */
  readonly wire?: string;
  /** Its name in the table, likewise. */
  readonly stored?: string;
  /**
   * What it takes of an operator to set it. Absent: what the call takes, or `admin` where a field of the record says `developer`.
   * `guarded`: it decides who gets in, or what leaves.
   */
  readonly operators?: 'developer' | 'admin' | 'guarded';
  /** Why an operator sets it without guard, where a row leaves that to its fields. */
  readonly unguarded?: Unguarded;
  /** The claim that says it of a user, where a login asks for that. */
  readonly claim?: string;
  /** Of a person: the list of changes masks it. */
  readonly personal?: true;
  /** An address that is called: its path may be a secret of the receiver, and the list of changes masks it. */
  readonly called?: true;
}

export type Fields = Readonly<Record<string, Field>>;

/** An object that is stored as its text, because DynamoDB limits depth, numbers and keys. Requests give `Given`. */
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

export const snake = (key: string): string => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** The names in requests of what operators set, and their kinds. */
export const settable = (fields: Fields): readonly (readonly [string, Field['kind']])[] =>
  Object.entries(fields)
    .filter(([, { access }]) => access === undefined)
    .map(([key, { wire = snake(key), kind }]) => [wire, kind]);

/** Fields that a record may have, of which there is nothing more to say. */
export const flag = { kind: 'flag' } as const;
export const number = { kind: 'number' } as const;
export const text = { kind: 'text' } as const;

/** Epoch seconds inside, RFC 3339 outside. */
const date = { kind: 'date', always: true, access: 'read' } as const;
export const dates = { createdAt: date, updatedAt: date } as const;

type Snake<Key> = Key extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${Snake<Rest>}`
  : '';
/** The keys of the fields that are like `Like`. */
type Keys<T, Like> = { [K in keyof T]: T[K] extends Like ? K : never }[keyof T];
/** Written out, as editors show it. */
type Plain<T> = T extends infer Whole ? { [K in keyof Whole]: Whole[K] } : never;

interface Sides<T> {
  readonly stored: Stored<T>;
  readonly shown: Shown<T>;
  readonly given: Made<T>;
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
/** What is made for an answer. */
export type Added<T> = Inside<T, Computed<T> & Always<T>> & {
  readonly [K in Exclude<Computed<T>, Always<T>>]?: Value<T[K], 'stored'> | undefined;
};
/** The record that rules read. Its keys are those of the table, where editors lead to. */
export type Stored<T> = Plain<
  Inside<T, Exclude<Always<T>, Computed<T>>> & Partial<Inside<T, Exclude<keyof T, Always<T> | Computed<T>>>>
>;

type Wire<T, K extends keyof T> = K extends unknown
  ? T[K] extends { wire: infer Name extends string }
    ? Name
    : Snake<K>
  : never;
type Visible<T> = Exclude<keyof T, Keys<T, { access: 'none' }>>;
type Sure<T> = Visible<T> & (Always<T> | WithDefault<T>);
/** The record that operators see. */
export type Shown<T> = Plain<
  { readonly [K in Sure<T> as Wire<T, K>]: Value<T[K], 'shown'> } & {
    readonly [K in Exclude<Visible<T>, Sure<T>> as Wire<T, K>]?: Value<T[K], 'shown'>;
  }
>;

type Settable<T, By extends Setter> = Exclude<keyof T, Keys<T, { access: Exclude<Access, By> }>>;
/** Creation needs it, and nothing removes it. */
type Needed<T, By extends Setter> = Settable<T, By> & Exclude<Always<T>, WithDefault<T>>;
type Removed<F> = F extends { access: 'create' } ? undefined : null | undefined;
type Free<T, By extends Setter> = {
  readonly [K in Exclude<Settable<T, By>, Needed<T, By>> as Wire<T, K>]?:
    | Value<T[K], 'given'>
    | Removed<T[K]>;
};
/** What makes a record. */
export type Made<T> = Plain<
  { readonly [K in Needed<T, 'create'> as Wire<T, K>]: Value<T[K], 'given'> } & Free<T, 'create'>
>;
/** What changes one: null removes a field. */
export type Given<T> = Plain<
  { readonly [K in Needed<T, 'update'> as Wire<T, K>]?: Value<T[K], 'given'> | undefined } & Free<T, 'update'>
>;

export type ClaimOf<T> = {
  [K in keyof T]: T[K] extends { claim: infer Name extends string } ? Name : never;
}[keyof T];
