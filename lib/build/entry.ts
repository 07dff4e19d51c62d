import type { GenericSchema } from 'valibot';
import { type BackgroundName, background } from '../../functions/background.ts';
import { effectivePorts, portsIn } from '../../shared/http/effective-ports.ts';
import type { Operation } from '../../shared/operation.ts';
import type { exportedSchemas } from './schemas.ts';

type Schemas = Awaited<ReturnType<typeof exportedSchemas>>;

/** The source of an operation's bundle: the row as data, the use case, and only the adapters of its ports. */
export function entryOf(name: string, row: Operation, schemas: Schemas): string {
  const imports = new Map<string, Set<string>>();
  const take = (file: string, exported: string) => {
    imports.set(file, (imports.get(file) ?? new Set()).add(exported));
    return exported.split(' as ').at(-1);
  };
  const named = (schema: GenericSchema) => {
    const found = schemas.get(schema);
    if (!found) throw new Error(`${row.event}: shared/schemas/ exports a schema of its row under no name`);
    return take(found.file, found.name);
  };
  const input = Object.entries(row.input).map(([place, schema]) => `${place}: ${named(schema)}`);
  // Only tests check answers, so the schema stays out of the bundle.
  const { json: _, ...output } = row.output as { readonly json?: unknown };
  const ports = effectivePorts(row).map((port) => take('shared/aws/adapters.ts', port));
  const useCase = take(`functions/${row.file}.ts`, `${name} as useCase`);
  const lambda = take('shared/aws/lambda.ts', 'lambda');
  const errorPage =
    row.errorPage === undefined
      ? []
      : [take('shared/flows/browser/error-page.ts', `${row.errorPage}ErrorPage as errorPage`)];
  const data = JSON.stringify({ ...row, summary: undefined, input: undefined, output });
  return [
    ...importLines(imports),
    `const row = { ...${data}, input: { ${input.join(', ')} } };`,
    `export const handler = ${lambda}(${['row', useCase, `{ ${ports.join(', ')} }`, ...errorPage].join(', ')});`,
  ].join('\n');
}

/** The same for a function that no request calls. Its clients are made at the first event: no user waits for it. */
export function backgroundEntryOf(name: BackgroundName): string {
  const { file, uses } = background[name];
  const ports = portsIn(uses);
  const imports = new Map<string, readonly string[]>([
    [`functions/${file}.ts`, ['create']],
    ['shared/aws/create-ports.ts', ['createPorts']],
    ['shared/aws/adapters.ts', ports],
  ]);
  return [
    ...importLines(imports),
    'let handle;',
    'export const handler = (event) => (handle ??= create(ports(), process.env))(event);',
    `const ports = () => createPorts(${JSON.stringify(uses)}, { ${ports.join(', ')} }, process.env);`,
  ].join('\n');
}

const importLines = (imports: ReadonlyMap<string, Iterable<string>>): readonly string[] =>
  [...imports].map(([file, names]) => `import { ${[...names].join(', ')} } from './${file}';`);
