import { operations } from '../../../functions/operations.ts';
import { catalogue, type ErrorKey } from '../../../shared/errors/catalogue.ts';
import { type Dialect, renderError } from '../../../shared/errors/render.ts';
import { ServiceError } from '../../../shared/errors/service-error.ts';
import { authOf } from '../../../shared/http/effective-ports.ts';
import { errorsOf } from '../../../shared/http/errors-of.ts';
import { DEFAULT_PATH, pathsOf, verbsOf } from '../../../shared/http/path.ts';
import type { Auth, Operation } from '../../../shared/operation.ts';
import { table } from './readme.ts';

const CALLERS: Readonly<Record<Auth, string>> = {
  none: 'anybody',
  client: 'client',
  admin: 'management client',
  user: 'user',
  'org-admin': 'organization admin',
  'client-secret': 'client that authenticates',
  'login-cookie': 'browser that is logging in',
};

const code = (text: string) => `\`${text}\``;

function addressOf(row: Operation): string {
  return pathsOf(row)
    .flatMap((path) =>
      path === DEFAULT_PATH ? ['every other path'] : verbsOf(row).map((verb) => code(`${verb} ${path}`)),
    )
    .join('<br>');
}

function callersOf(row: Operation): string {
  const permissions = row.permissions
    ?.map(code)
    .join(', ')
    .replace(/, ([^,]+)$/, ' or $1');
  return authOf(row)
    .map((kind) =>
      kind === 'client' && permissions ? `${CALLERS.client} with ${permissions}` : CALLERS[kind],
    )
    .join('; ');
}

export const operationsTable = (): string =>
  table(
    ['Section', 'Address', 'What it does', 'Who may call'],
    Object.values(operations).map((row) => [row.section, addressOf(row), row.summary, callersOf(row)]),
  );

const isFallback = (row: Operation) => pathsOf(row).includes(DEFAULT_PATH);

/** The dialects in which some operation can answer with this error. What answers every other path speaks them all. */
function dialectsOf(key: ErrorKey): ReadonlySet<Dialect> {
  const all = Object.values(operations);
  const throwing = all.filter((row) => errorsOf(row).includes(key));
  const rows = all.some((row) => isFallback(row) && row.errors.includes(key)) ? all : throwing;
  return new Set(rows.map(({ dialect }) => dialect));
}

/** Every error that an operation can answer with; a dash where no operation of that dialect does. */
export function errorsTable(): string {
  const keys = Object.keys(catalogue) as ErrorKey[];
  const rows = keys.flatMap((key) => {
    const dialects = dialectsOf(key);
    if (dialects.size === 0) return [];
    const spelled = (dialect: Dialect, member: string) =>
      code(String(renderError(new ServiceError(key), dialect).body[member]));
    const named = dialects.has('named') ? spelled('named', 'error_code') : '–';
    const isOauth = dialects.has('oauth') || dialects.has('oauth-list');
    const { status, message } = catalogue[key];
    return [[String(status), message, named, isOauth ? spelled('oauth', 'error') : '–']];
  });
  const sorted = rows.toSorted(([one], [other]) => Number(one) - Number(other));
  return table(['Status', '`message`', '`error_code` of A3 and A4', '`error` of `/oidc/*`'], sorted);
}
