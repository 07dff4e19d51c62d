import type { Method, Operation } from '../operation.ts';

export const DEFAULT_PATH = '$default';

export function listPaths(row: Pick<Operation, 'path'>): readonly string[] {
  return typeof row.path === 'string' ? [row.path] : row.path;
}

/** Returns only the HTTP methods that an operation row lists, without implied methods such as HEAD. */
export function listNamedMethods(row: Operation): readonly Method[] {
  return typeof row.method === 'string' ? [row.method] : row.method;
}

/** Returns the methods that an operation row accepts: those it lists, HEAD if it lists GET, and OPTIONS if it allows CORS. */
export function listAnsweredMethods(row: Operation): readonly string[] {
  const methods = listNamedMethods(row).flatMap((verb) => (verb === 'GET' ? ['GET', 'HEAD'] : [verb]));
  return row.cors === 'none' ? methods : [...methods, 'OPTIONS'];
}

function compile(template: string): { readonly pattern: RegExp; readonly names: readonly string[] } {
  const names: string[] = [];
  const segments = template.split('/');
  const source = segments.map((segment, index) => {
    if (!segment.startsWith('{')) return segment.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
    names.push(segment.replace(/[{+}]/g, ''));
    // The gateway has decoded %2F, so the last parameter may contain slashes.
    return index === segments.length - 1 ? '(.+)' : '([^/]+)';
  });
  return { pattern: new RegExp(`^${source.join('/')}$`, 's'), names };
}

const compiled = new Map<string, ReturnType<typeof compile>>();

/** Returns the parameters of a path, or undefined if no path of the operation row matches. The path `$default` matches all. */
export function matchPath(row: Pick<Operation, 'path'>, path: string): Record<string, string> | undefined {
  for (const template of listPaths(row)) {
    if (template === DEFAULT_PATH) return {};
    let entry = compiled.get(template);
    if (!entry) {
      entry = compile(template);
      compiled.set(template, entry);
    }
    const found = entry.pattern.exec(path);
    if (found) return Object.fromEntries(entry.names.map((name, index) => [name, found[index + 1] ?? '']));
  }
  return undefined;
}
