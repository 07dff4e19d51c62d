import type { PortName, Ports } from './index.ts';

type VerbOf<Port extends PortName> = keyof Ports[Port] & string;
type IsOne<Verb, Any = Verb> = Verb extends Any ? ([Any] extends [Verb] ? true : false) : never;

/** What no policy of a function allows: the operator's own credentials make secrets, and say whose sessions are taken. */
type OfOperators = 'providerSecretRecords.put' | 'formerIssuers.put';

/** A verb of a port, as in `users.find`; or the whole port, as in `signer`. */
export type Use = Exclude<
  { [Port in PortName]: IsOne<VerbOf<Port>> extends true ? Port : `${Port}.${VerbOf<Port>}` }[PortName],
  OfOperators
>;

/** Tools and tests take whole ports too. */
export type AnyUse = Use | PortName;

type PortIn<Used extends AnyUse> = (Used extends `${infer Port}.${string}` ? Port : Used) & PortName;
type VerbIn<Used extends AnyUse, Port extends PortName> = Used extends `${Port}.${infer Verb}`
  ? Verb & keyof Ports[Port]
  : never;

/** The ports with the named verbs and no other: a call of any other verb does not compile. */
export type Using<Used extends AnyUse> = {
  readonly [Port in PortIn<Used>]: Port extends Used ? Ports[Port] : Pick<Ports[Port], VerbIn<Used, Port>>;
};
