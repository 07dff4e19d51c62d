import type { PortName, Ports } from './index.ts';

/** What an operation needs of a port: one verb of it, as in `users.find`, or all of it. */
export type Use = { [Port in PortName]: Port | `${Port}.${keyof Ports[Port] & string}` }[PortName];

type PortIn<Used extends Use> = (Used extends `${infer Port}.${string}` ? Port : Used) & PortName;
type VerbIn<Used extends Use, Port extends PortName> = Used extends `${Port}.${infer Verb}`
  ? Verb & keyof Ports[Port]
  : never;

/** The ports with the verbs that are named, and no other: nobody can call what is not in the list. */
export type Using<Used extends Use> = {
  readonly [Port in PortIn<Used>]: Port extends Used ? Ports[Port] : Pick<Ports[Port], VerbIn<Used, Port>>;
};
