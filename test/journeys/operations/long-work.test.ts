// Deletions that take too long for one API call: the call deletes the first items, and a job deletes the rest.
import { expect, test } from '@jest/globals';
import {
  JOB_TAKEOVER_SECONDS,
  JOBS_INTERVAL_MINUTES,
  LIST_LIMIT_MAX,
} from '../../../shared/domain/basis/limits.ts';
import { applicationKey, clientKey, memberKey } from '../../../shared/dynamo/keys.ts';
import {
  made,
  madeApplication,
  madeClient,
  madeMember,
  madeWebhook,
  resourceFields,
  toCredentials,
} from '../../support/fixtures/managed.ts';
import { createUser, newEmail } from '../../support/fixtures/people.ts';
import { otlAt } from '../../support/server/otl.ts';
import { useTestServer } from '../../support/server/use-test-server.ts';
import { copyItem } from '../../support/tools/copies.ts';

const server = useTestServer({ events: true, rateLimits: 'off', environment: { JOB_CALL_SECONDS: '0' } });

/** Number of items. It exceeds one page, so that some items are left for the job. */
const MANY = LIST_LIMIT_MAX + 20;
const RUNS = 20;

/** Returns the unfinished jobs as the command `otl jobs` lists them. */
async function jobs() {
  type Shown = { readonly kind: string; readonly subject_id: string; readonly done: number };
  return (await otlAt(server).json<{ readonly result: readonly Shown[] }>('jobs')).result;
}

async function runUntilDone(subject: string): Promise<void> {
  for (let run = 0; run < RUNS; run += 1) {
    if (!(await jobs()).some(({ subject_id }) => subject_id === subject)) return;
    await server.advanceClock(JOBS_INTERVAL_MINUTES * 60 + JOB_TAKEOVER_SECONDS);
    await server.settleEvents();
  }
  throw new Error('the job has no end');
}

test('a deleted organization disappears from the API at once, and a background job removes its members', async () => {
  const as = { token: await server.adminToken() };
  const { organizationId: org_id, userId: user_id } = await madeMember(server);
  await copyItem('people', memberKey(user_id, org_id), user_id, MANY);
  const { membershipRecords } = await server.ports(['membershipRecords.listOfOrganization']);
  expect((await server.delete(`/v1/organizations/${org_id}`, as)).status).toBe(202);
  expect((await server.get(`/v1/organizations/${org_id}`, as)).status).toBe(404);
  const [job] = await jobs();
  expect(job).toMatchObject({ kind: 'delete-organization', subject_id: org_id, done: LIST_LIMIT_MAX });
  await runUntilDone(org_id);
  expect(await membershipRecords.listOfOrganization(org_id, { limit: 1 })).toEqual({ items: [] });
});

test('a deleted application disappears from the API at once, and a background job removes its clients', async () => {
  const as = { token: await server.adminToken() };
  const client = await madeClient(server);
  const { app_id, client_id, client_secret } = client;
  const asked = { grant_type: 'client_credentials', client_id, client_secret };
  expect((await server.form('/oidc/token', asked)).status).toBe(200);
  const own = await server.clientToken(toCredentials(client));
  const resource = resourceFields();
  const { resource_id } = await made<{ resource_id: string }>(server, '/v1/resources', resource, own);
  const { webhook_id } = await madeWebhook(server, { app_id });
  const ofTenant = await madeWebhook(server);
  await copyItem('directory', clientKey(client_id), client_id, MANY);
  const { clientRecords } = await server.ports(['clientRecords.list']);
  expect((await server.delete(`/v1/applications/${app_id}`, as)).status).toBe(202);
  expect((await server.get(`/v1/applications/${app_id}`, as)).status).toBe(404);
  expect((await server.form('/oidc/token', asked)).status).toBe(401);
  const [job] = await jobs();
  expect(job).toMatchObject({ kind: 'delete-application', subject_id: app_id, done: LIST_LIMIT_MAX });
  await runUntilDone(app_id);
  expect(await clientRecords.list(app_id, { limit: 1 })).toEqual({ items: [] });
  const later = { token: await server.adminToken() };
  expect((await server.get(`/v1/resources/${resource_id}`, later)).status).toBe(404);
  expect((await server.get(`/v1/webhooks/${webhook_id}`, later)).status).toBe(404);
  expect((await server.get(`/v1/webhooks/${ofTenant.webhook_id}`, later)).status).toBe(200);
  // The URI of the deleted application's resource can be registered again.
  await made(server, '/v1/resources', resource, await server.clientToken());
});

test('one API call unlocks a user in all applications of a large tenant', async () => {
  const as = { token: await server.adminToken() };
  const app_id = await madeApplication(server);
  await copyItem('directory', applicationKey(app_id), app_id, MANY);
  const { user_id } = await createUser(server, { email: newEmail() });
  expect((await server.delete(`/v1/users/${user_id}/locks`, as)).status).toBe(204);
  expect(await jobs()).toEqual([]);
});
