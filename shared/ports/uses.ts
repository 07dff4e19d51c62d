import type { PortName, Ports } from './index.ts';

type VerbOf<Port extends PortName> = keyof Ports[Port] & string;
type IsOne<Verb, Any = Verb> = Verb extends Any ? ([Any] extends [Verb] ? true : false) : never;

/** Port methods that no function's IAM policy allows. They require an operator's own AWS credentials. */
type OfOperators = 'providerSecretRecords.put' | 'formerIssuers.put';

/** Method of a port, such as `users.find`. A port with a single method, such as `signer`, is named as a whole. */
export type PortMethod = Exclude<
  { [Port in PortName]: IsOne<VerbOf<Port>> extends true ? Port : `${Port}.${VerbOf<Port>}` }[PortName],
  OfOperators
>;

/** Method of a port, or the name of a whole port. Tools and tests use this type. */
export type PortOrMethod = PortMethod | PortName;

type PortIn<Used extends PortOrMethod> = (Used extends `${infer Port}.${string}` ? Port : Used) & PortName;
type VerbIn<Used extends PortOrMethod, Port extends PortName> = Used extends `${Port}.${infer Verb}`
  ? Verb & keyof Ports[Port]
  : never;

/** Ports restricted to the named methods. A call of any other method does not compile. */
export type PortsWith<Used extends PortOrMethod> = {
  readonly [Port in PortIn<Used>]: Port extends Used ? Ports[Port] : Pick<Ports[Port], VerbIn<Used, Port>>;
};
