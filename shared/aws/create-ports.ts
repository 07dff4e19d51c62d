import { effectiveUses, portsIn, verbsIn } from '../http/effective-ports.ts';
import type { Wiring } from '../http/serve.ts';
import type { Operation, PortsOf } from '../operation.ts';
import type { PortName, Ports } from '../ports/index.ts';
import type { AnyUse, Using } from '../ports/uses.ts';
import * as adapters from './adapters.ts';
import type { AwsContext } from './context.ts';
import { type Environment, readSettings } from './settings.ts';

type Verbs = Readonly<Record<string, unknown>>;

/** What is not used is not there either: a call that no policy allows fails on every machine. */
function only(verbs: readonly string[] | undefined, port: Verbs): Verbs {
  return verbs ? Object.fromEntries(verbs.map((verb) => [verb, port[verb]])) : port;
}

/** The ports over AWS with the verbs in use, as the environment says where tables and keys are. */
export function createPorts<Used extends AnyUse>(uses: readonly Used[], env: Environment): Using<Used> {
  const context: AwsContext = { env };
  const entries = portsIn(uses).map((name) => {
    // biome-ignore lint/performance/noDynamicNamespaceImportAccess: the bundler narrows this module to the row's adapters
    const adapter = adapters[name] as ((context: AwsContext) => Ports[PortName]) | undefined;
    if (!adapter) throw new Error(`this bundle has no adapter for the port ${name}`);
    return [name, only(verbsIn(uses, name), adapter(context) as unknown as Verbs)] as const;
  });
  return Object.fromEntries(entries) as unknown as Using<Used>;
}

/** Composition root of a function, run once per container. */
export function wire<Row extends Operation>(row: Row): Wiring<Row> {
  return {
    ports: createPorts(effectiveUses(row), process.env) as unknown as PortsOf<Row>,
    settings: readSettings(process.env),
  };
}
