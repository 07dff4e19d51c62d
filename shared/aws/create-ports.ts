import { listMethods, listPorts } from '../http/effective-ports.ts';
import type { PortName, Ports } from '../ports/index.ts';
import type { PortOrMethod, PortsWith } from '../ports/uses.ts';
import type { AwsContext } from './context.ts';
import type { Environment } from './settings.ts';

/** Adapters by the names of their ports; see adapters.ts. */
export type Adapters = { readonly [Name in PortName]?: (context: AwsContext) => Ports[Name] };

type Verbs = Readonly<Record<string, unknown>>;

/** Removes unused methods of a port, so that a call that no IAM policy allows fails on every machine. */
function only(verbs: readonly string[] | undefined, port: Verbs): Verbs {
  return verbs ? Object.fromEntries(verbs.map((verb) => [verb, port[verb]])) : port;
}

/** Creates ports over AWS that have only the used methods. `env` names tables and keys. */
export function createPorts<Used extends PortOrMethod>(
  uses: readonly Used[],
  adapters: Adapters,
  env: Environment,
  early = false,
): PortsWith<Used> {
  const context: AwsContext = { env, early };
  const entries = listPorts(uses).map((name) => {
    const adapter = adapters[name];
    if (!adapter) throw new Error(`no adapter exists for the port ${name}`);
    return [name, only(listMethods(uses, name), adapter(context) as unknown as Verbs)] as const;
  });
  return Object.fromEntries(entries) as unknown as PortsWith<Used>;
}
