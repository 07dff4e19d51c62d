import type { GenericSchema } from 'valibot';
import { type BackgroundName, background } from '../../functions/background.ts';
import type { ErrorKey } from '../../shared/errors/catalogue.ts';
import { findDeadEnd, findDefaultDeadEnd } from '../../shared/flows/browser/error-page.ts';
import {
  acceptsOperators,
  acceptsToken,
  effectivePorts,
  listPorts,
} from '../../shared/http/effective-ports.ts';
import { listErrors } from '../../shared/http/errors-of.ts';
import type { Operation } from '../../shared/operation.ts';
import * as texts from '../../shared/templates/texts/all.ts';
import type { exportedSchemas } from './schemas.ts';

type Schemas = Awaited<ReturnType<typeof exportedSchemas>>;

/**
 * Generates the entry module of an operation. The module contains the operation's definition as data, its use case, and only
 * the adapters that its ports need.
 */
export function generateEntry(name: string, row: Operation, schemas: Schemas): string {
  const imports = new Map<string, Set<string>>();
  const take = (file: string, exported: string) => {
    imports.set(file, (imports.get(file) ?? new Set()).add(exported));
    return exported.split(' as ').at(-1);
  };
  const named = (schema: GenericSchema) => {
    const found = schemas.get(schema);
    if (!found) throw new Error(`${row.event}: a schema of its row is not exported by shared/schemas/`);
    return take(found.file, found.name);
  };
  const input = Object.entries(row.input).map(([place, schema]) => `${place}: ${named(schema)}`);
  const ports = effectivePorts(row).map((port) => take('shared/aws/adapters.ts', port));
  const useCase = take(`functions/${row.file}.ts`, `${name} as useCase`);
  const lambda = take('shared/aws/lambda.ts', 'lambda');
  const parts = [
    acceptsToken(row) ? take('shared/http/authenticate.ts', 'authenticate') : undefined,
    acceptsOperators(row)
      ? `operators: ${take('shared/http/operators.ts', 'createOperatorGate')}(${take('shared/templates/mask.ts', 'maskAddress')})`
      : undefined,
    row.errorPage && `errorPage: ${errorPageSource(row.errorPage, listErrors(row), take)}`,
  ];
  return [
    ...importLines(imports),
    `const row = { ...${JSON.stringify(rowData(row))}, input: { ${input.join(', ')} } };`,
    `export const handler = ${lambda}(row, ${useCase}, { ${ports.join(', ')} }, { ${parts.filter(Boolean).join(', ')} });`,
  ].join('\n');
}

type Take = (file: string, exported: string) => string | undefined;

/**
 * Returns the code of the expression that creates the error page. The expression contains only texts of errors that the
 * operation can have.
 */
function errorPageSource(
  kind: NonNullable<Operation['errorPage']>,
  errors: readonly ErrorKey[],
  take: Take,
): string {
  const keys = new Set([findDefaultDeadEnd(kind), ...errors.map((key) => findDeadEnd(kind, key))]);
  const ends = [...keys].map((name) => take('shared/templates/texts/dead-ends.ts', name));
  return `${take('shared/flows/browser/error-page.ts', 'errorPage')}('${kind}', { ${ends.join(', ')} })`;
}

/**
 * Returns the fields of an operation's definition that the bundled function needs. Input schemas are imported separately, and
 * output schemas are used only in tests.
 */
function rowData({ file: _, area, operationId, summary, description, input, ...row }: Operation): object {
  const { json, ...output } = row.output as { readonly json?: unknown };
  return { ...row, output };
}

/** Generates the operation table as data, for the function that handles requests to unknown paths. */
export const generateTable = (table: Readonly<Record<string, Operation>>): string =>
  `export const operations = ${JSON.stringify(Object.values(table).map((row) => ({ ...rowData(row), area: row.area })))};`;

type Tree = string | { readonly [Key in string]: Tree };

/** Replaces every text of a nested object with 0, so that only the keys remain. */
const removeTexts = (tree: Tree): object | 0 =>
  typeof tree === 'string'
    ? 0
    : Object.fromEntries(Object.entries(tree).map(([key, inner]) => [key, removeTexts(inner)]));

/** Returns the texts of a nested object as a list, in the key order of `like`. */
function textsIn(tree: Tree | undefined, like: Tree): readonly string[] {
  if (typeof tree !== 'object' || typeof like !== 'object') return [String(tree)];
  return Object.entries(like).flatMap(([key, inner]) => textsIn(tree[key], inner));
}

const areaSource = (area: string, byLanguage: Readonly<Record<string, Tree>>, like: Tree) => {
  const values = Object.entries(byLanguage).map(
    ([language, tree]) => `${language}: () => ${JSON.stringify(textsIn(tree, like))}`,
  );
  return `export const ${area} = /* @__PURE__ */ area(${JSON.stringify(removeTexts(like))}, { ${values.join(', ')} });`;
};

/**
 * Generates the module of all texts. Each area is a separate constant, so that esbuild removes the areas that a function does
 * not use. The text keys of all languages are stored only once, to save space. The texts of a language are built on first use.
 */
export const generateTexts = (): string =>
  [
    `const filled = (shape, texts) => shape === 0 ? texts.shift()
      : Object.fromEntries(Object.entries(shape).map(([key, inner]) => [key, filled(inner, texts)]));
    const area = (shape, languages) => {
      const made = {};
      return Object.defineProperties({}, Object.fromEntries(Object.entries(languages).map(([language, texts]) =>
        [language, { enumerable: true, get: () => (made[language] ??= filled(shape, texts())) }])));
    };`,
    ...Object.entries(texts).map(([name, byLanguage]) =>
      areaSource(name, byLanguage as never, byLanguage.en as never),
    ),
  ].join('\n');

/**
 * Generates the entry module of a background function. The function's AWS clients are created at the first event instead of
 * during the initialization, because no user waits for a response.
 */
export function generateBackgroundEntry(name: BackgroundName): string {
  const { file, uses } = background[name];
  const ports = listPorts(uses);
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
