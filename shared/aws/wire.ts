import { effectivePorts } from '../http/effective-ports.ts';
import type { Wiring } from '../http/serve.ts';
import type { Operation, PortsOf } from '../operation.ts';
import type { PortName, Ports } from '../ports/index.ts';
import * as adapters from './adapters.ts';
import type { AwsContext } from './context.ts';
import { type Environment, readSettings } from './settings.ts';

/** The named ports over AWS, as the environment says where tables and keys are. */
export function createPorts<Name extends PortName>(
  names: readonly Name[],
  env: Environment,
): Pick<Ports, Name> {
  const context: AwsContext = { env };
  const entries = names.map((name) => {
    // biome-ignore lint/performance/noDynamicNamespaceImportAccess: the bundler narrows this module to the row's adapters
    const adapter = adapters[name] as ((context: AwsContext) => Ports[Name]) | undefined;
    if (!adapter) throw new Error(`this bundle has no adapter for the port ${name}`);
    return [name, adapter(context)] as const;
  });
  return Object.fromEntries(entries) as Pick<Ports, Name>;
}

/** Composition root of a function, run once per container. */
export function wire<Row extends Operation>(row: Row): Wiring<Row> {
  return {
    ports: createPorts(effectivePorts(row), process.env) as unknown as PortsOf<Row>,
    settings: readSettings(process.env),
  };
}
