import type { StackTemplate } from './synthesize.ts';

/** The logical IDs that a part of a template refers to. */
function references(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(references);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, part]) => {
    if (key === 'Ref') return [String(part)];
    if (key === 'Fn::GetAtt') return [String(Array.isArray(part) ? part[0] : part).split('.')[0] ?? ''];
    if (key === 'Fn::Sub') {
      const text = Array.isArray(part) ? String(part[0]) : String(part);
      const names = [...text.matchAll(/\$\{([^}!.]+)/g)].map((match) => match[1] ?? '');
      return [...names, ...references(part)];
    }
    return references(part);
  });
}

/**
 * A circle of resources that wait for each other, as logical IDs, the first again at the end. Synthesis does not look for
 * one; CloudFormation refuses it at deployment.
 */
export function findCycle({ Resources }: Pick<StackTemplate, 'Resources'>): readonly string[] | undefined {
  const edges = new Map(
    Object.entries(Resources).map(([id, { Properties, DependsOn }]) => [
      id,
      [...references(Properties), ...[DependsOn ?? []].flat()],
    ]),
  );
  const done = new Set<string>();
  const visit = (id: string, path: readonly string[]): readonly string[] | undefined => {
    if (path.includes(id)) return [...path.slice(path.indexOf(id)), id];
    if (done.has(id)) return undefined;
    for (const next of edges.get(id) ?? []) {
      const cycle = visit(next, [...path, id]);
      if (cycle) return cycle;
    }
    done.add(id);
    return undefined;
  };
  for (const id of edges.keys()) {
    const cycle = visit(id, []);
    if (cycle) return cycle;
  }
  return undefined;
}
