/**
 * What a record has, field by field: its kind, whether every record has it, what its absence means, who sees and sets it. Types,
 * stored items, requests and answers are made from these tables; the words and bounds of requests are in shared/schemas.
 */
export type Field = Presence &
  (
    | { readonly kind: 'flag'; readonly default?: boolean }
    | { readonly kind: 'number' | 'date'; readonly default?: number }
    | { readonly kind: 'text'; readonly default?: string }
    | { readonly kind: 'texts'; readonly of?: readonly string[]; readonly default?: readonly string[] }
    | { readonly kind: 'json'; readonly default?: object }
    | { readonly kind: 'choice'; readonly of: readonly string[]; readonly default?: string }
    | { readonly kind: 'record'; readonly of: Fields; readonly default?: object }
    | { readonly kind: 'records'; readonly of: Fields; readonly default?: readonly object[] }
  );

interface Presence {
  /** Every stored record has it; a new one begins with the default, or is asked for it. */
  readonly always?: true;
  /** Operators see it and do not set it (`read`), or do not see it either (`none`). */
  readonly access?: 'read' | 'none';
  /** Its name in requests and answers, where that is not the key with underscores. */
  readonly wire?: string;
  /** Its name in the table, likewise. */
  readonly stored?: string;
  /** The claim that says it of a user, where a login asks for that. */
  readonly claim?: string;
}

export type Fields = Readonly<Record<string, Field>>;

/** An object that is stored as its text, because DynamoDB limits depth, numbers and keys. Requests give `Given`. */
export interface Json<T, Given = T> {
  readonly kind: 'json';
  readonly type?: T;
  readonly given?: Given;
}

export const snake = (key: string): string => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** The names in requests of what operators set, and their kinds. */
export const settable = (fields: Fields): readonly (readonly [string, Field['kind']])[] =>
  Object.entries(fields)
    .filter(([, { access }]) => !access)
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
type Inside<T, K extends keyof T> = { readonly [P in K]: Value<T[P], 'stored'> };
/** The record that rules read. Its keys are those of the table, where editors lead to. */
export type Stored<T> = Plain<Inside<T, Always<T>> & Partial<Inside<T, Exclude<keyof T, Always<T>>>>>;

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

type Settable<T> = Exclude<keyof T, Keys<T, { access: string }>>;
/** Creation needs it, and nothing removes it. */
type Needed<T> = Settable<T> & Exclude<Always<T>, WithDefault<T>>;
type Free<T> = {
  readonly [K in Exclude<Settable<T>, Needed<T>> as Wire<T, K>]?: Value<T[K], 'given'> | null | undefined;
};
/** What makes a record. */
export type Made<T> = Plain<{ readonly [K in Needed<T> as Wire<T, K>]: Value<T[K], 'given'> } & Free<T>>;
/** What changes one: null removes a field. */
export type Given<T> = Plain<
  { readonly [K in Needed<T> as Wire<T, K>]?: Value<T[K], 'given'> | undefined } & Free<T>
>;

export type ClaimOf<T> = {
  [K in keyof T]: T[K] extends { claim: infer Name extends string } ? Name : never;
}[keyof T];
