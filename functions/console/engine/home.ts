// Finds the screen of a URL or record, and the screen on which an action appears.

import type { OperatorRole } from '../../../shared/ports/operators.ts';
import {
  type ApiDocument,
  type ApiOperation,
  isPermitted,
  type Json,
  listPathParameters,
  toFieldName,
} from './document.ts';
import { type Screen, screens } from './screens.ts';

/** Screen that a URL refers to, with the parameters from its path. */
export interface ScreenLocation {
  readonly screen: Screen;
  readonly parameters: Readonly<Record<string, string>>;
}

/** Finds the screen for a URL path from which the tenant was removed, and reads the screen's parameters from the path. */
export function findScreen(path: string): ScreenLocation | undefined {
  const given = path.split('/');
  for (const screen of screens) {
    const wanted = screen.path.split('/');
    if (wanted.length !== given.length) continue;
    const parameters: Record<string, string> = {};
    const fits = wanted.every((segment, index) => {
      const value = given[index] ?? '';
      const [name] = listPathParameters(segment);
      if (name !== undefined) parameters[name] = value;
      return name === undefined ? segment === value : value !== '';
    });
    if (fits) return { screen, parameters };
  }
  return undefined;
}

/** Returns true if a path is another path or below it. */
export const isUnder = (path: string, base: string): boolean => path === base || path.startsWith(`${base}/`);

/** Screen on which an action appears, and the read operation of that screen to which the action belongs. */
export interface ActionLocation {
  readonly screen: Screen;
  readonly read: string;
}

/** Finds the screen of an action. The action's path begins with the path of a read operation; the longest such path decides. */
export function findActionLocation(document: ApiDocument, action: ApiOperation): ActionLocation | undefined {
  const named = screens.find(({ actions }) => actions?.includes(action.id));
  if (named?.reads[0]) return { screen: named, read: named.reads[0] };
  const all = screens.flatMap((screen) =>
    screen.reads.flatMap((read) => {
      const path = document.operations.get(read)?.path;
      return path !== undefined && isUnder(action.path, path) ? [{ screen, read, path }] : [];
    }),
  );
  return all.toSorted((one, other) => other.path.length - one.path.length)[0];
}

/** Lists the actions that appear with a read operation of a screen and that the operator's role permits. */
export const listActions = (
  document: ApiDocument,
  { screen, read }: ActionLocation,
  role: OperatorRole,
): readonly ApiOperation[] =>
  [...document.operations.values()].filter((operation) => {
    if (operation.method === 'GET' || !isPermitted(role, operation.role)) return false;
    const home = findActionLocation(document, operation);
    // The screens are compared by path, because a view may pass a copy of its screen with other texts.
    return home?.screen.path === screen.path && home.read === read;
  });

/** Returns the path parameters of an operation, taken from the screen and the record. Undefined if one of them is missing. */
export function resolveParameters(
  operation: Pick<ApiOperation, 'path'>,
  parameters: Readonly<Record<string, string>>,
  record: Json = {},
): Readonly<Record<string, string>> | undefined {
  const all = listPathParameters(operation.path).map((name) => {
    const value = parameters[name] ?? idIn(record, name);
    return [name, typeof value === 'string' ? value : ''] as const;
  });
  return all.every(([, value]) => value !== '') ? Object.fromEntries(all) : undefined;
}

/** Reads the ID for a path parameter from a record. The field for `organizationId` is `org_id`. */
const idIn = (record: Json, name: string): unknown =>
  record[toFieldName(name)] ?? (name === 'organizationId' ? record.org_id : undefined);

/** Returns the path of the screen that shows a record of a list, or undefined if no screen shows such records. */
export function findRecordScreenPath(
  from: Screen,
  parameters: Readonly<Record<string, string>>,
  record: Json,
): string | undefined {
  for (const { path } of screens) {
    const below = path.slice(from.path.length).split('/');
    if (!isUnder(path, from.path) || below.filter((segment) => segment.startsWith('{')).length !== 1)
      continue;
    const found = resolveParameters({ path }, parameters, record);
    if (found)
      return listPathParameters(path).reduce(
        (all, name) => all.replace(`{${name}}`, () => encodeURIComponent(found[name] ?? '')),
        path,
      );
  }
  return undefined;
}
