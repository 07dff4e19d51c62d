import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The source text of the project, as far as rules about its structure look at it. */

const ROOT = join(import.meta.dirname, '../../..');

export interface Import {
  /** A path below the project for its own files, else the name of the package. */
  readonly target: string;
  /** Gone when the code runs. */
  readonly typeOnly: boolean;
  /** Local names by what they are called in the target; a namespace is called `*`. */
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

function importsOf(path: string, text: string): readonly Import[] {
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

/** Every file of ours in TypeScript or JavaScript. */
export const sourceFiles: readonly SourceFile[] = globSync(
  '{bin,lib,functions,shared,test,bench}/**/*.{ts,mjs}',
  {
    cwd: ROOT,
  },
)
  .sort()
  .map((path) => {
    const text = readFileSync(join(ROOT, path), 'utf8');
    return { path, text, imports: importsOf(path, text) };
  });

const byPath = new Map(sourceFiles.map((file) => [file.path, file]));

export function sourceOf(path: string): SourceFile {
  const file = byPath.get(path);
  if (!file) throw new Error(`no file ${path}`);
  return file;
}

/** Lines that say something: neither empty nor comment nor import, for whoever explains much must not write less. */
export function codeLines({ text }: SourceFile): number {
  const body = text.replace(STATEMENT, (statement) => (statement.startsWith('import') ? '' : statement));
  return body.split('\n').filter((line) => !/^\s*(?:\/\/|\/?\*|$)/.test(line)).length;
}

const DECLARATION = /^(?:export\s+)?(?:async\s+)?(?:function\*?|const|class)\s+(\w+)/;

/** Top-level declarations by name, each with its text up to the next one. */
export function declarationsOf({ text }: SourceFile): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  let name = '';
  for (const line of text.split('\n')) {
    name = DECLARATION.exec(line)?.[1] ?? (/^\S/.test(line) && !/^[)}\]`/*]/.test(line) ? '' : name);
    if (name !== '') found.set(name, `${found.get(name) ?? ''}${line}\n`);
  }
  return found;
}

/**
 * The text of everything that a declaration leads to, in files that `follow` accepts: what it calls, what that calls, and
 * so on. By names alone, so rather too much than too little.
 */
export function reachableFrom(
  path: string,
  name: string,
  follow: (path: string) => boolean,
): readonly string[] {
  const seen = new Map<string, string>();
  const visit = (file: SourceFile, declared: string) => {
    const key = `${file.path} ${declared}`;
    const declarations = declarationsOf(file);
    const body = declarations.get(declared);
    if (body === undefined || seen.has(key)) return;
    seen.set(key, body);
    const words = new Set(body.match(/\b\w+\b/g));
    for (const word of words) {
      if (declarations.has(word)) visit(file, word);
      const origin = file.imports.find((each) => !each.typeOnly && each.names.has(word));
      const target = origin && byPath.get(origin.target);
      if (target && follow(target.path)) visit(target, origin.names.get(word) ?? word);
    }
  };
  visit(sourceOf(path), name);
  return [...seen.values()];
}
