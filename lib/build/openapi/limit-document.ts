import { selectOperations } from '../../../functions/areas.ts';
import { operations } from '../../../functions/operations.ts';
import type { DeployedAreas } from '../../../shared/domain/basis/areas.ts';
import { listNamedMethods, listPaths } from '../../../shared/http/path.ts';
import type { ApiDocumentObject } from '../../../shared/ports/api-document.ts';

type Members = Readonly<Record<string, unknown>>;
type Components = Readonly<Record<'schemas' | 'responses', Members>>;

/** Parts of a generated API document that depend on which operations it contains. */
interface Contents {
  readonly tags: readonly { readonly name: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly tags: readonly string[] }>>>>;
  readonly webhooks: Members;
  readonly components: Components & Members;
}

const REFERENCE = /"#\/components\/(schemas|responses)\/([^"]+)"/g;

/** Returns the OpenAPI document with only the operations of a deployment's areas, and the components that these use. */
export function limitDocument(document: ApiDocumentObject, areas: DeployedAreas): ApiDocumentObject {
  const { components, paths, tags, webhooks } = document as ApiDocumentObject & Contents;
  const kept = new Set(
    Object.values(selectOperations(operations, areas)).flatMap((row) =>
      listPaths(row).flatMap((path) => listNamedMethods(row).map((verb) => `${verb.toLowerCase()} ${path}`)),
    ),
  );
  const limited = Object.entries(paths).flatMap(([path, item]) => {
    const methods = Object.entries(item).filter(([verb]) => kept.has(`${verb} ${path}`));
    return methods.length > 0 ? [[path, Object.fromEntries(methods)] as const] : [];
  });
  const used = listUsed(components, [limited, webhooks]);
  const usedTags = new Set(limited.flatMap(([, item]) => Object.values(item).flatMap((each) => each.tags)));
  const keepUsed = (kind: keyof Components) =>
    Object.fromEntries(Object.entries(components[kind]).filter(([name]) => used.has(`${kind}/${name}`)));
  return {
    ...document,
    tags: tags.filter(({ name }) => usedTags.has(name)),
    paths: Object.fromEntries(limited),
    components: { ...components, schemas: keepUsed('schemas'), responses: keepUsed('responses') },
  };
}

/** Returns the schemas and responses, such as `schemas/User`, that a value refers to directly or indirectly. */
function listUsed(components: Components, value: unknown): ReadonlySet<string> {
  const found = new Set<string>();
  const collect = (part: unknown): void => {
    for (const [, kind, name] of JSON.stringify(part).matchAll(REFERENCE)) {
      if (found.has(`${kind}/${name}`)) continue;
      found.add(`${kind}/${name}`);
      collect(components[kind as keyof Components][name ?? '']);
    }
  };
  collect(value);
  return found;
}
