import { randomUUID } from 'node:crypto';
import type { Input } from './calls.ts';
import type { World } from './world.ts';

/** Inputs with which the operations of administration succeed, each with records of its own. */

type Fields = Readonly<Record<string, unknown>>;

/** Makes a record by the HTTP API. */
export async function made<Result = Fields>(
  world: World,
  path: string,
  json: Fields,
  token?: string,
): Promise<Result> {
  const options = { token: token ?? (await world.adminToken()) };
  const { status, body } = await world.post<{ readonly result: Result }>(path, json, options);
  if (status !== 201) throw new Error(`${path}: ${status} ${JSON.stringify(body)}`);
  return body.result;
}

export const resourceFields = (change: Fields = {}): Fields => ({
  name: 'Orders',
  uri: `https://api.example.com/${randomUUID()}`,
  access_token_ttl: 600,
  refresh_token_ttl: 3600,
  max_refresh_rotate: 7200,
  ...change,
});

type Successes = Readonly<Record<string, () => Input | Promise<Input>>>;

export function resourceSuccesses(world: () => World): Successes {
  const resource = async () => {
    const token = await world().clientToken();
    return made<{ resource_id: string; uri: string }>(world(), '/v1/resources', resourceFields(), token);
  };
  const path = async () => ({ resourceId: (await resource()).resource_id });
  return {
    createResource: () => ({ json: resourceFields() }),
    listResources: () => ({ query: { limit: 1 } }),
    findResourceByUri: async () => ({ query: { resourceUri: (await resource()).uri } }),
    getResource: async () => ({ path: await path() }),
    updateResource: async () => ({ path: await path(), json: { name: 'New' } }),
    deleteResource: async () => ({ path: await path() }),
  };
}
