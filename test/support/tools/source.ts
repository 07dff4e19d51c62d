import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

// Reads the source files of the project and their imports, for tests of the project structure.

const ROOT = join(import.meta.dirname, '../../..');

export interface Import {
  /** Path from the project root if the target is a project file, otherwise the name of the package. */
  readonly target: string;
  /** True for `import type`, which does not exist at run time. */
  readonly typeOnly: boolean;
  /** Exported names of the target, by the local name of the import. A namespace import has the exported name `*`. */
  readonly names: ReadonlyMap<string, string>;
}

export interface SourceFile {
  readonly path: string;
  readonly text: string;
  readonly imports: readonly Import[];
}

const STATEMENT =
  /^(?:import|export)(?<type>\s+type(?=\s+[\w{*]))?\s+(?<what>(?:\w+(?:\s*,\s*)?)?(?:\{[^}]*\}|\*(?:\s+as\s+\w+)?)?)\s+from\s+'(?<target>[^'\n]+)'/gm;
const BARE = /^import\s+'(?<target>[^'\n]+)'/gm;
const DYNAMIC = /\bimport\(\s*['"`](?<target>[^'"`]+)['"`]/g;

function resolved(path: string, target: string): string {
  return target.startsWith('.') ? join(dirname(path), target) : target;
}

function namesIn(what: string): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const namespace = /\*\s+as\s+(\w+)/.exec(what)?.[1];
  if (namespace !== undefined) names.set(namespace, '*');
  const byDefault = /^(\w+)/.exec(what)?.[1];
  if (byDefault !== undefined) names.set(byDefault, 'default');
  for (const part of /\{([^}]*)\}/.exec(what)?.[1]?.split(',') ?? []) {
    const [, original, local] = /^\s*(?:type\s+)?(\w+)(?:\s+as\s+(\w+))?\s*$/.exec(part) ?? [];
    if (original !== undefined) names.set(local ?? original, original);
  }
  return names;
}

function listImports(path: string, text: string): readonly Import[] {
  const statements = [...text.matchAll(STATEMENT)].map(({ groups = {} }) => ({
    target: resolved(path, groups.target ?? ''),
    typeOnly: groups.type !== undefined,
    names: namesIn(groups.what ?? ''),
  }));
  const nameless = [...text.matchAll(BARE), ...text.matchAll(DYNAMIC)].map(({ groups = {} }) => ({
    target: resolved(path, groups.target ?? ''),
    typeOnly: false,
    names: new Map<string, string>(),
  }));
  return [...statements, ...nameless];
}

/** Every TypeScript and JavaScript file of the project. */
export const sourceFiles: readonly SourceFile[] = globSync('{bin,lib,functions,shared,test}/**/*.{ts,mjs}', {
  cwd: ROOT,
})
  .sort()
  .map((path) => {
    const text = readFileSync(join(ROOT, path), 'utf8');
    return { path, text, imports: listImports(path, text) };
  });

const DECLARATION = /^(?:export\s+)?(?:async\s+)?(?:function\*?|const|class)\s+(\w+)/;

/** Returns the text of each top-level declaration, by name. The text ends before the next declaration. */
export function listDeclarations({ text }: SourceFile): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  let name = '';
  for (const line of text.split('\n')) {
    name = DECLARATION.exec(line)?.[1] ?? (/^\S/.test(line) && !/^[)}\]`/*]/.test(line) ? '' : name);
    if (name !== '') found.set(name, `${found.get(name) ?? ''}${line}\n`);
  }
  return found;
}

type Graph = readonly (readonly [from: string, to: readonly string[]])[];

/** Returns the cycles of a graph as groups of nodes that reach each other. Ignores edges to unknown nodes and to itself. */
export function circlesIn(graph: Graph): readonly (readonly string[])[] {
  const nodes = new Set(graph.map(([from]) => from));
  const edges = new Map<string, Set<string>>();
  for (const [from, to] of graph) {
    const targets = edges.get(from) ?? new Set();
    for (const target of to) if (nodes.has(target) && target !== from) targets.add(target);
    edges.set(from, targets);
  }
  const reach = new Map([...nodes].map((node) => [node, reachableFrom(node, edges)]));
  const circles = [...nodes].map((node) =>
    [...(reach.get(node) ?? [])].filter((other) => reach.get(other)?.has(node)).sort(),
  );
  return [
    ...new Map(
      circles.filter((circle) => circle.length > 1).map((circle) => [circle.join(), circle]),
    ).values(),
  ];
}

function reachableFrom(node: string, edges: ReadonlyMap<string, ReadonlySet<string>>): ReadonlySet<string> {
  const seen = new Set<string>();
  const waiting = [...(edges.get(node) ?? [])];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (seen.has(next)) continue;
    seen.add(next);
    waiting.push(...(edges.get(next) ?? []));
  }
  return seen;
}
