import { listMethods, listPorts } from '../http/effective-ports.ts';
import type { PortName, Ports } from '../ports/index.ts';
import type { PortOrMethod, PortsWith } from '../ports/uses.ts';
import type { AwsContext } from './context.ts';
import type { Environment } from './settings.ts';

/** Adapters by port name. adapters.ts lists all adapters. */
export type Adapters = { readonly [Name in PortName]?: (context: AwsContext) => Ports[Name] };

type Verbs = Readonly<Record<string, unknown>>;

/**
 * Returns a port with only the methods that an operation uses. Calls to other methods then fail on the local server as well,
 * and not only in AWS, where IAM denies them.
 */
function only(verbs: readonly string[] | undefined, port: Verbs): Verbs {
  return verbs ? Object.fromEntries(verbs.map((verb) => [verb, port[verb]])) : port;
}

/** Creates AWS ports that have only the methods in `uses`. `env` contains the names of the DynamoDB tables and KMS keys. */
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
