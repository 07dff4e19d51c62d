import { expect, test } from '@jest/globals';
import { type ApiOperation, isPermitted } from '../../functions/console/engine/document.ts';
import { findActionLocation } from '../../functions/console/engine/home.ts';
import { screens } from '../../functions/console/engine/screens.ts';
import { becomeOperator, enterConsole } from '../support/console.ts';
import { made, resourceFields } from '../support/fixtures/managed.ts';
import { grantTo, someOperator } from '../support/fixtures/operators.ts';
import { newPerson, registerPasskey } from '../support/fixtures/passkeys.ts';
import { useTestServer } from '../support/server/use-test-server.ts';
import { consoleDocument } from './support.ts';

// Actions of the console: each operator role must see and be able to execute exactly the actions that the role permits.

const server = useTestServer({ rateLimits: 'off', events: true });
const TENANT = '/demo-tenant';
/** Operation without a console action, because the page "Login methods" of an application changes the same settings. */
const ON_LOGIN_METHODS_PAGE = 'updateLoginPreferences';

type Made = Readonly<Record<string, string>>;

/** Creates a record of each type that the console shows. Returns the IDs by the parameter names in screen paths. */
async function everyRecord(): Promise<Readonly<Record<string, string>>> {
  const person = await newPerson(server);
  await registerPasskey(server, person);
  const userId = person.user.user_id;
  for (const state of ['active', 'enrolled'] as const)
    await grantTo(server, await someOperator(server), { state });
  const { app_id: appId = '' } = await made<Made>(server, '/v1/applications', { name: 'Shop' });
  const { client_id: ofApplication = '' } = await made<Made>(server, `/v1/applications/${appId}/clients`, {
    name: 'Backend',
  });
  const { client_id: ofTenant = '' } = await made<Made>(server, '/v1/management-clients', {
    name: 'Provisioning',
  });
  await made(server, `/v1/applications/${appId}/clients/${ofApplication}/secrets`, {});
  await made<Made>(server, `/v1/management-clients/${ofTenant}/secrets`, {});
  const { org_id: organizationId = '' } = await made<Made>(server, '/v1/organizations', { name: 'Acme' });
  await made<Made>(server, `/v1/organizations/${organizationId}/members`, { user_id: userId });
  const { webhook_id: webhookId = '' } = await made<Made>(server, '/v1/webhooks', {
    url: 'http://127.0.0.1:1/',
  });
  await server.post(`/v1/webhooks/${webhookId}/test`, {}, { token: await server.adminToken() });
  await server.settleEvents();
  const { resource_id: resourceId = '' } = await made<Made>(server, '/v1/resources', resourceFields());
  return { userId, appId, ofApplication, ofTenant, organizationId, webhookId, resourceId };
}

test.each(['viewer', 'support', 'developer', 'admin'] as const)(
  'an operator with the role %s sees exactly the permitted actions on every console screen',
  async (role) => {
    const records = await everyRecord();
    await becomeOperator(server, role);
    // Functions cache the grants of operators for a minute.
    await server.advanceClock(61);
    const operator = await enterConsole(server);
    const document = await consoleDocument();
    const seen = new Set<string>();
    for (const { path } of screens) {
      const own = path.startsWith('applications') ? records.ofApplication : records.ofTenant;
      const named: Readonly<Record<string, string | undefined>> = { ...records, clientId: own };
      const at = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => named[name] ?? name);
      const { html, status } = await operator.get(`${TENANT}/${at}`);
      expect([path, [200, 403]]).toEqual([path, expect.arrayContaining([status])]);
      for (const [, id = ''] of html.matchAll(/[?;]act=(\w+)["&]/g)) seen.add(id);
      for (const [, id = ''] of html.matchAll(/name="act" value="(\w+)"/g)) seen.add(id);
      // For viewers, omits the calls that support or developers are refused as well, because their tests make these calls.
      const isOfOthers = (one: ApiOperation) =>
        role !== 'viewer' || isPermitted('support', one.role) || isPermitted('developer', one.role);
      const others = [...document.operations.values()].filter(
        (one) =>
          one.method !== 'GET' &&
          findActionLocation(document, one)?.screen.path === path &&
          !isPermitted(role, one.role) &&
          isOfOthers(one),
      );
      for (const { id } of others) {
        const form = { act: id, _typed: 'x', _reason: 'x', ...records };
        expect([id, (await operator.post(`${TENANT}/${at}`, form)).status]).toEqual([id, 403]);
      }
    }
    const acts = [...document.operations.values()].filter(({ method }) => method !== 'GET');
    const permitted = acts
      .filter((one) => one.id !== ON_LOGIN_METHODS_PAGE && isPermitted(role, one.role))
      .map(({ id }) => id);
    expect([...seen].filter((id) => !permitted.includes(id))).toEqual([]);
    expect(permitted.filter((id) => !seen.has(id))).toEqual([]);
  },
);
