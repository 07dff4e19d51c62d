import { expect, test } from '@jest/globals';
import * as v from 'valibot';
import { nowSeconds } from '../../../shared/domain/basis/time.ts';
import { withoutTimeLimit } from '../../../shared/domain/jobs/job.ts';
import { toApplicationRecord } from '../../../shared/domain/management/application-record.ts';
import {
  createApplication,
  deleteApplication,
  requireApplication,
  updateApplication,
} from '../../../shared/domain/management/applications.ts';
import { createClient, updateClient } from '../../../shared/domain/management/clients.ts';
import { createTenant, deleteTenant } from '../../../shared/domain/management/tenants.ts';
import { createWebhook } from '../../../shared/domain/management/webhooks.ts';
import type { Tenant } from '../../../shared/ports/directory.ts';
import { ApplicationRecord } from '../../../shared/schemas/applications.ts';
import { storedPorts } from '../../support/fixtures/directory.ts';
import { someResource, someTenant } from '../../support/server/records.ts';
import { describeStore } from '../../support/server/store.ts';

/** Stub ports for the secrets of identity providers. The tests of the command line check that these secrets are removed. */
const secrets = () => ({
  providerSecretRecords: { put: async () => undefined, remove: async () => undefined },
});

describeStore('applications and clients', (store) => {
  test('a tenant that has reached its application limit cannot create another application', async () => {
    const ports = storedPorts(store());
    const [tenant, neighbour] = [someTenant({ maxApplications: 2 }), someTenant({ maxApplications: 1 })];
    const make = (of: Tenant) => createApplication(ports, { tenant: of }, { name: 'Shop' }, nowSeconds());
    const { applicationId } = await make(tenant);
    await make(tenant);
    await make(neighbour);
    for (const full of [tenant, neighbour])
      await expect(make(full)).rejects.toMatchObject({ key: 'system_invalid_input' });
    expect((await ports.applicationRecords.list(tenant.tenantId, { limit: 10 })).items).toHaveLength(2);
    await ports.applicationRecords.remove(applicationId);
    await make(tenant);
  });

  test('a new application enables email and passkey logins by default', async () => {
    const ports = storedPorts(store());
    const tenant = someTenant();
    const made = await createApplication(ports, { tenant }, { name: 'Shop' }, nowSeconds());
    expect(toApplicationRecord(made).login_preferences).toEqual({ link: {}, email: {}, passkey: {} });
    const named = { name: 'Texts', login_preferences: { sms: {} } };
    const texts = await createApplication(ports, { tenant }, named, nowSeconds());
    expect(toApplicationRecord(texts).login_preferences).toEqual({ sms: {} });
    for (const [given, is] of [
      [null, true],
      [false, false],
    ] as const) {
      const fields = { name: 'Shop', hosted_sign_up: given, offer_passkeys: given };
      const { hosted_sign_up, offer_passkeys } = toApplicationRecord(
        await createApplication(ports, { tenant }, fields, nowSeconds()),
      );
      expect([hosted_sign_up, offer_passkeys]).toEqual([is, is]);
    }
    const [hosted_sign_up, offer_passkeys, id_token_claims] = [false, false, 'all'] as const;
    for (const [given, is] of [
      [{ hosted_sign_up, offer_passkeys, id_token_claims }, [false, false, 'all']],
      [{ hosted_sign_up: null, offer_passkeys: null, id_token_claims: null }, [true, true, 'requested']],
    ] as const) {
      const record = toApplicationRecord(
        await updateApplication(ports, { tenant, applicationId: texts.applicationId }, given, nowSeconds()),
      );
      expect([record.hosted_sign_up, record.offer_passkeys, record.id_token_claims]).toEqual(is);
    }

    await updateApplication(
      ports,
      { tenant, applicationId: made.applicationId },
      {
        redirect_uris: ['https://shop.example.com/'],
        public_signup: true,
        login_preferences: { link: {}, email: { digits: 8, max_tries: 5 } },
        rate_limits: { sends_per_minute: 3, sends_per_day: 10 },
        language: 'fr',
      },
      nowSeconds(),
    );
    const changed = await updateApplication(
      ports,
      { tenant, applicationId: made.applicationId },
      {
        login_preferences: { sms: { lock_minutes: 30 }, link: null },
        rate_limits: { sends_per_day: null },
        language: null,
      },
      nowSeconds(),
    );
    const record = toApplicationRecord(changed);
    expect(record).toMatchObject({
      name: 'Shop',
      redirect_uris: ['https://shop.example.com/'],
      public_signup: true,
      login_preferences: { email: { digits: 8, max_tries: 5 }, sms: { lock_minutes: 30 } },
      rate_limits: { sends_per_minute: 3 },
    });
    expect(record).not.toHaveProperty('language');
    expect(record.login_preferences).not.toHaveProperty('link');
    expect(v.parse(ApplicationRecord, record)).toEqual(record);
    expect(await requireApplication(ports, tenant, made.applicationId)).toEqual(changed);

    const cleared = await updateApplication(
      ports,
      { tenant, applicationId: made.applicationId },
      { login_preferences: null },
      nowSeconds(),
    );
    expect(cleared).not.toHaveProperty('loginPreferences');
  });

  test('concurrent updates to different fields of an application are all stored', async () => {
    const ports = storedPorts(store());
    const tenant = someTenant();
    const { applicationId } = await createApplication(ports, { tenant }, { name: 'Shop' }, nowSeconds());
    await Promise.all([
      updateApplication(ports, { tenant, applicationId }, { name: 'Store' }, nowSeconds()),
      updateApplication(ports, { tenant, applicationId }, { language: 'de' }, nowSeconds()),
      updateApplication(ports, { tenant, applicationId }, { public_signup: true }, nowSeconds()),
    ]);
    expect(await requireApplication(ports, tenant, applicationId)).toMatchObject({
      name: 'Store',
      language: 'de',
      publicSignup: true,
    });
  });

  test('in client permissions, the placeholder [appId] is replaced by the application ID', async () => {
    const ports = storedPorts(store());
    const tenant = someTenant();
    const application = await createApplication(ports, { tenant }, { name: 'Shop' }, nowSeconds());
    const { client } = await createClient(
      ports,
      { tenant, application },
      { name: 'Reader', permissions: ['users:read', '[appId]:edit', 'users:read'] },
      nowSeconds(),
    );
    expect(client.permissions).toEqual(['users:read', `${application.applicationId}:edit`]);
    const freed = await updateClient(
      ports,
      { tenant, clientId: client.clientId },
      { permissions: null },
      nowSeconds(),
    );
    expect(freed).not.toHaveProperty('permissions');
    for (const [bound_codes, is] of [
      [true, true],
      [null, undefined],
    ] as const) {
      const next = await updateClient(
        ports,
        { tenant, clientId: client.clientId },
        { bound_codes },
        nowSeconds(),
      );
      expect(next.boundCodes).toBe(is);
    }
    await expect(
      createClient(ports, { tenant }, { name: 'Admin', permissions: ['users:read'] }, nowSeconds()),
    ).rejects.toMatchObject({ key: 'system_invalid_input' });
  });

  test.each([
    [{ access_token_ttl: 0 }, /^access_token_ttl: /],
    [{ access_token_ttl: 86_401 }, /^access_token_ttl: /],
    [{ max_refresh_rotate: 1e15 }, /^max_refresh_rotate: /],
  ])('a client with the settings %j is rejected', async (fields, message) => {
    const ports = storedPorts(store());
    await expect(
      createClient(ports, { tenant: someTenant() }, { name: 'X', ...fields }, nowSeconds()),
    ).rejects.toThrow(message);
  });

  test('a tenant cannot be deleted while it has applications', async () => {
    const ports = storedPorts(store());
    const tenant = await createTenant(ports, { name: 'Example' }, nowSeconds());
    const application = await createApplication(ports, { tenant }, { name: 'Shop' }, nowSeconds());
    const { client } = await createClient(ports, { tenant }, { name: 'Admin' }, nowSeconds());
    const webhookMac = { mac: async () => 'a MAC' };
    const url = 'https://hooks.example.com/';
    const { webhook } = await createWebhook(
      { ...ports, webhookMac },
      { tenant, localExceptions: { loopback: false } },
      { url },
      nowSeconds(),
    );
    const resource = someResource({ tenantId: tenant.tenantId });
    await ports.resourceRecords.put(resource);
    const [host, ofOther] = [`${crypto.randomUUID()}.example`, `${crypto.randomUUID()}.example`];
    await ports.uriOwnerRecords.reserveHost(tenant.tenantId, host);
    await ports.uriOwnerRecords.reserveHost('other', ofOther);
    await expect(deleteTenant(ports, tenant.tenantId)).rejects.toMatchObject({
      key: 'in_use',
      message: 'The tenant has applications: delete them first',
    });
    const { applicationId } = application;
    await ports.formerIssuers.put({
      ...{ applicationId, issuer: 'https://old.example', audience: 'shop' },
      ...{ jwksUri: 'https://old.example/jwks', until: nowSeconds() + 60 },
    });
    await deleteApplication(
      { ...ports, ...secrets() },
      tenant,
      applicationId,
      withoutTimeLimit(nowSeconds()),
    );
    expect(await ports.formerIssuers.find(applicationId, nowSeconds())).toBeUndefined();
    await deleteTenant(ports, tenant.tenantId);
    expect(await ports.tenantRecords.find(tenant.tenantId)).toBeUndefined();
    expect(await ports.clientRecords.find(client.clientId)).toBeUndefined();
    expect(await ports.resourceRecords.find(resource.resourceId)).toBeUndefined();
    expect(await ports.webhookRecords.find(webhook.webhookId)).toBeUndefined();
    expect(await ports.uriOwnerRecords.reserveHost('other', host)).toBe(true);
    expect(await ports.uriOwnerRecords.reserveHost('third', ofOther)).toBe(false);
    await expect(deleteTenant(ports, tenant.tenantId)).rejects.toMatchObject({ key: 'tenant_not_found' });
  });
});
