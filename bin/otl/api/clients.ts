// The API has separate paths for application clients and for management clients. `otl` finds both by their client ID.

import { operations } from '../../../functions/operations.ts';
import type { Api } from '../engine/api.ts';
import type { CommandInput } from '../engine/command.ts';
import { ApiRefusal } from '../person/tokens.ts';
import { UsageError } from '../terminal/failure.ts';
import { buildRequest } from './request-of.ts';

/** Requires exactly one of `--app` and `--management`: without `--app`, a client would get tenant-wide rights by accident. */
export function requireOwner({ option }: Pick<CommandInput, 'option'>): void {
  const [app, management] = [option('app'), option('management')];
  if (app === undefined && management === undefined)
    throw new UsageError(
      'Name the owner: --app <id>, or --management for a client that may do everything in the tenant.',
    );
  if (app !== undefined && management !== undefined)
    throw new UsageError(
      'A client belongs to an application (--app) or to the tenant (--management), not to both.',
    );
}

interface Applications {
  readonly result: readonly { readonly app_id: string }[];
  readonly next_cursor?: string;
}

async function* applicationIds(api: Api): AsyncGenerator<string> {
  let cursor = '';
  do {
    const path = `/v1/applications${cursor && `?cursor=${encodeURIComponent(cursor)}`}`;
    const page = (await api.call({ method: 'GET', path })) as Applications;
    for (const { app_id: id } of page.result) yield id;
    cursor = page.next_cursor ?? '';
  } while (cursor !== '');
}

async function exists(api: Api, path: string): Promise<boolean> {
  try {
    await api.call({ method: 'GET', path });
    return true;
  } catch (error) {
    if (error instanceof ApiRefusal && error.status === 404) return false;
    throw error;
  }
}

/** Finds the application that a client belongs to. Returns undefined for a management client and for an unknown ID. */
async function findApplication(api: Api, id: string): Promise<string | undefined> {
  const client = encodeURIComponent(id);
  if (await exists(api, `/v1/management-clients/${client}`)) return undefined;
  for await (const app of applicationIds(api))
    if (await exists(api, `/v1/applications/${app}/clients/${client}`)) return app;
  return undefined;
}

/** Calls an operation on a client, or the matching operation on a management client if the client belongs to no application. */
export async function callForClient(
  api: Api,
  name: string,
  argument: string | undefined,
  given: CommandInput,
): Promise<unknown> {
  const app =
    given.option('app') ?? (argument === undefined ? undefined : await findApplication(api, given.id));
  const row = operations[app === undefined ? name.replace('Client', 'ManagementClient') : name];
  if (!row) throw new Error(`there is no operation ${name}`);
  const option = (flag: string) => (flag === 'app' ? app : given.option(flag));
  return api.call(buildRequest(row, argument, { ...given, option }));
}
