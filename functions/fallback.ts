import { hasArea } from '../shared/domain/basis/areas.ts';
import type { ErrorDialect } from '../shared/errors/catalogue.ts';
import { ServiceError } from '../shared/errors/service-error.ts';
import { DEFAULT_PATH, listAnsweredMethods, listPaths, matchPath } from '../shared/http/path.ts';
import type { Operation, Settings, UseCase } from '../shared/operation.ts';
import type { fallback as row } from './meta/rows.ts';
import { operations } from './operations.ts';

const rows = Object.values(operations);

/**
 * Discovery paths that clients request if they were configured with another URL than the issuer (OpenID Connect Discovery §4,
 * RFC 8414 §3).
 */
const DISCOVERY = /openid-configuration|oauth-authorization-server/;

/** Returns the error format of the operation whose path has the longest prefix in common with this path. */
function findDialect(path: string): ErrorDialect {
  const segments = path.split('/');
  const common = (template: string) => {
    const others = template.split('/');
    const difference = others.findIndex((segment, index) => segment !== segments[index]);
    return difference === -1 ? others.length : difference;
  };
  const ranked = rows.flatMap((row) =>
    listPaths(row).map((template) => ({ dialect: row.dialect, shared: common(template) })),
  );
  const best = ranked.reduce((one, other) => (other.shared > one.shared ? other : one));
  // Segment 1 is the empty text before the first slash, and segment 2 may be the version, so only a third common segment
  // identifies an operation.
  return best.shared > 2 || path.startsWith('/oidc/') ? best.dialect : 'numeric';
}

/**
 * Returns the deployed operations of the most specific path template that matches this path. The path `/v1/resources/uri`, for
 * example, does not get the methods of `/v1/resources/{resourceId}`. The gateway splits a path before it decodes the segments,
 * so the value of a parameter is always a single segment.
 */
function rowsAt(path: string, settings: Settings): readonly Operation[] {
  const { length } = path.split('/');
  const deployed = rows.filter(({ area }) => hasArea(settings, area));
  const templates = deployed
    .flatMap(listPaths)
    .filter((template) => template !== DEFAULT_PATH && template.split('/').length === length)
    .filter((template) => matchPath({ path: template }, path) !== undefined)
    // `{` sorts after all characters of literal segments, so the most specific template comes first.
    .toSorted();
  return deployed.filter((row) => listPaths(row).includes(templates[0] ?? ''));
}

/**
 * Responds to requests without a route: 405 with `Allow` for a known path, otherwise 404, in the error format of the path's
 * section.
 */
export const fallback: UseCase<typeof row> = async ({ request, settings }) => {
  const found = rowsAt(request.path, settings);
  const [row] = found;
  if (!row) {
    const message = DISCOVERY.test(request.path)
      ? { message: `Not found: discovery is at ${settings.issuer}/.well-known/openid-configuration` }
      : {};
    throw new ServiceError('not_found', { dialect: findDialect(request.path), ...message });
  }
  const allow = [...new Set(found.flatMap(listAnsweredMethods))].join(', ');
  if (request.method === 'OPTIONS') return { none: true, headers: { allow } };
  throw new ServiceError('method_not_allowed', { dialect: row.dialect, headers: { allow } });
};
