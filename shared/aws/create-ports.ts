import { listMethods, listPorts } from '../http/effective-ports.ts';
import type { PortName, Ports } from '../ports/index.ts';
import type { PortOrMethod, PortsWith } from '../ports/uses.ts';
import type { AwsContext } from './context.ts';
import type { Environment } from './settings.ts';

/** Adapters by port name. adapters.ts lists all of them. */
export type Adapters = { readonly [Name in PortName]?: (context: AwsContext) => Ports[Name] };

type Verbs = Readonly<Record<string, unknown>>;

/** Removes the methods of a port that an operation does not use. A call that no IAM policy allows then fails locally, too. */
function only(verbs: readonly string[] | undefined, port: Verbs): Verbs {
  return verbs ? Object.fromEntries(verbs.map((verb) => [verb, port[verb]])) : port;
}

/** Creates AWS ports with only the methods in `uses`. `env` contains the names of tables and keys. */
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
