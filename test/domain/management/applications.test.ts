import { expect, test } from '@jest/globals';
import * as v from 'valibot';
import { hashSecret } from '../../../shared/domain/basis/random.ts';
import { nowSeconds } from '../../../shared/domain/basis/time.ts';
import { applicationRecord } from '../../../shared/domain/management/application-record.ts';
import {
  createApplication,
  deleteApplication,
  requireApplication,
  updateApplication,
} from '../../../shared/domain/management/applications.ts';
import { clientRecord } from '../../../shared/domain/management/client-record.ts';
import {
  type ClientWithSecret,
  createClient,
  requireClient,
  rotateSecret,
  updateClient,
} from '../../../shared/domain/management/clients.ts';
import { createResource, deleteResource } from '../../../shared/domain/management/resources.ts';
import { createTenant, deleteTenant } from '../../../shared/domain/management/tenants.ts';
import { createWebhook } from '../../../shared/domain/management/webhooks.ts';
import { ApplicationRecord } from '../../../shared/schemas/applications.ts';
import { ClientRecord } from '../../../shared/schemas/clients.ts';
import { storedPorts } from '../../support/fixtures/directory.ts';
import { someTenant, someWebhook } from '../../support/server/records.ts';
import { describeStore } from '../../support/server/store.ts';

const lifetimes = { access_token_ttl: 600, refresh_token_ttl: 3600, max_refresh_rotate: 7200 };
const secretOf = ({ secret }: ClientWithSecret) => String(secret);
const newUri = () => `https://${crypto.randomUUID()}.example.com/`;

/** None are set here; that they go with the application, the command line proves on Secrets Manager. */
const secrets = () => ({
  providerSecretRecords: { put: async () => undefined, remove: async () => undefined },
});

describeStore('applications and clients', (store) => {
  test('an application begins with mail and passkeys, and closed to sign-ups but by a page that public signup opens; changes keep what is not given', async () => {
    const ports = storedPorts(store());
    const tenant = someTenant();
    const made = await createApplication(ports, tenant, { name: 'Shop' }, nowSeconds());
    expect(applicationRecord(made)).toMatchObject({
      redirect_uris: [],
      public_signup: false,
      hosted_sign_up: true,
      offer_passkeys: true,
      resources: [],
      notices: { new_device: true, contact_changed: true, credentials_changed: true, locked: true },
      passcodes_across_clients: false,
      app_id_audience: false,
      id_token_claims: 'requested',
    });
    expect(applicationRecord(made).login_preferences).toEqual({ link: {}, email: {}, passkey: {} });
    const named = { name: 'Texts', login_preferences: { sms: {} } };
    const texts = await createApplication(ports, tenant, named, nowSeconds());
    expect(applicationRecord(texts).login_preferences).toEqual({ sms: {} });
    const { hostedSignUp: _, offerPasskeys: __, ...fromBefore } = made;
    const off = { hosted_sign_up: false, offer_passkeys: false };
    expect(applicationRecord(fromBefore)).toMatchObject(off);
    for (const [given, is] of [
      [null, true],
      [false, false],
    ] as const) {
      const fields = { name: 'Shop', hosted_sign_up: given, offer_passkeys: given };
      const { hosted_sign_up, offer_passkeys } = applicationRecord(
        await createApplication(ports, tenant, fields, nowSeconds()),
      );
      expect([hosted_sign_up, offer_passkeys]).toEqual([is, is]);
    }

    await updateApplication(
      ports,
      tenant,
      made.applicationId,
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
      tenant,
      made.applicationId,
      {
        login_preferences: { sms: { lock_minutes: 30 }, link: null },
        rate_limits: { sends_per_day: null },
        language: null,
      },
      nowSeconds(),
    );
    const record = applicationRecord(changed);
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
      tenant,
      made.applicationId,
      { login_preferences: null },
      nowSeconds(),
    );
    expect(cleared).not.toHaveProperty('loginPreferences');
  });

  test('an application may use resources of the tenant, not of others', async () => {
    const ports = storedPorts(store());
    const tenant = someTenant();
    const application = await createApplication(ports, tenant, { name: 'Shop' }, nowSeconds());
    const shared = await createResource(
      ports,
      { tenant },
      { ...lifetimes, name: 'A', uri: newUri() },
      nowSeconds(),
    );
    const owned = await createResource(
      ports,
      { tenant, application },
      { ...lifetimes, name: 'B', uri: newUri() },
      nowSeconds(),
    );
    const foreign = await createResource(
      ports,
      { tenant: someTenant() },
      { ...lifetimes, name: 'C', uri: newUri() },
      nowSeconds(),
    );
    const attach = (...resources: string[]) =>
      updateApplication(ports, tenant, application.applicationId, { resources }, nowSeconds());
    expect((await attach(shared.resourceId)).resourceIds).toEqual([shared.resourceId]);
    for (const id of [owned.resourceId, foreign.resourceId, 'nothing'])
      await expect(attach(shared.resourceId, id)).rejects.toThrow('resources.0: is not the ID of a resource');
    await expect(deleteResource(ports, tenant, shared.resourceId)).rejects.toMatchObject({ key: 'in_use' });
    await attach();
    await expect(deleteResource(ports, tenant, shared.resourceId)).resolves.toBeUndefined();
  });

  test('two changes at the same time are both made', async () => {
    const ports = storedPorts(store());
    const tenant = someTenant();
    const { applicationId } = await createApplication(ports, tenant, { name: 'Shop' }, nowSeconds());
    await Promise.all([
      updateApplication(ports, tenant, applicationId, { name: 'Store' }, nowSeconds()),
      updateApplication(ports, tenant, applicationId, { language: 'de' }, nowSeconds()),
      updateApplication(ports, tenant, applicationId, { public_signup: true }, nowSeconds()),
    ]);
    expect(await requireApplication(ports, tenant, applicationId)).toMatchObject({
      name: 'Store',
      language: 'de',
      publicSignup: true,
    });
  });

  test('a secret is shown once and stored as a hash; of three, the oldest stops', async () => {
    const ports = storedPorts(store());
    const tenant = someTenant();
    const application = await createApplication(ports, tenant, { name: 'Shop' }, nowSeconds());
    const first = await createClient(ports, { tenant, application }, { name: 'Backend' }, nowSeconds());
    expect(Buffer.from(secretOf(first), 'base64url')).toHaveLength(32);
    const { clientId } = first.client;
    const second = await rotateSecret(ports, tenant, clientId, nowSeconds());
    const hashes = async () => (await requireClient(ports, tenant, clientId)).secrets.map(({ hash }) => hash);
    expect(await hashes()).toEqual([hashSecret(secretOf(first)), hashSecret(secretOf(second))]);
    const third = await rotateSecret(ports, tenant, clientId, nowSeconds());
    expect(await hashes()).toEqual([hashSecret(secretOf(second)), hashSecret(secretOf(third))]);

    const shown = clientRecord(third.client, third.secret);
    expect(v.parse(ClientRecord, shown)).toEqual(shown);
    const later = clientRecord(await requireClient(ports, tenant, clientId));
    expect(later).not.toHaveProperty('client_secret');
    expect(JSON.stringify(later)).not.toContain(hashSecret(secretOf(third)));
  });

  test('permissions belong to clients of applications; [appId] stands for the own one', async () => {
    const ports = storedPorts(store());
    const tenant = someTenant();
    const application = await createApplication(ports, tenant, { name: 'Shop' }, nowSeconds());
    const { client } = await createClient(
      ports,
      { tenant, application },
      { name: 'Reader', permissions: ['users:read', '[appId]:edit', 'users:read'] },
      nowSeconds(),
    );
    expect(client.permissions).toEqual(['users:read', `${application.applicationId}:edit`]);
    const freed = await updateClient(ports, tenant, client.clientId, { permissions: null }, nowSeconds());
    expect(freed).not.toHaveProperty('permissions');
    await expect(
      createClient(ports, { tenant }, { name: 'Admin', permissions: ['users:read'] }, nowSeconds()),
    ).rejects.toMatchObject({ key: 'system_invalid_input' });
  });

  test.each([
    [{ access_token_ttl: 0 }, /^access_token_ttl: /],
    [{ access_token_ttl: 86_401 }, /^access_token_ttl: /],
    [{ max_refresh_rotate: 1e15 }, /^max_refresh_rotate: /],
  ])('a client with %j is refused', async (fields, message) => {
    const ports = storedPorts(store());
    await expect(
      createClient(ports, { tenant: someTenant() }, { name: 'X', ...fields }, nowSeconds()),
    ).rejects.toThrow(message);
  });

  test('deleting an application takes its clients, resources and webhooks, and nothing of others', async () => {
    const ports = storedPorts(store());
    const tenant = someTenant();
    const application = await createApplication(ports, tenant, { name: 'Shop' }, nowSeconds());
    const { applicationId } = application;
    const own = await createClient(ports, { tenant, application }, { name: 'Backend' }, nowSeconds());
    const management = await createClient(ports, { tenant }, { name: 'Admin' }, nowSeconds());
    const uri = newUri();
    await createResource(ports, { tenant, application }, { ...lifetimes, name: 'Orders', uri }, nowSeconds());
    const shared = await createResource(
      ports,
      { tenant },
      { ...lifetimes, name: 'B', uri: newUri() },
      nowSeconds(),
    );
    const { tenantId } = tenant;
    const itsOwn = someWebhook({ tenantId, applicationId });
    const ofTenant = someWebhook({ tenantId });
    for (const webhook of [itsOwn, ofTenant]) await ports.webhookRecords.put(webhook);

    await deleteApplication({ ...ports, ...secrets() }, tenant, applicationId);
    await expect(requireApplication(ports, tenant, applicationId)).rejects.toMatchObject({
      key: 'application_not_found',
    });
    expect(await ports.clientRecords.find(own.client.clientId)).toBeUndefined();
    expect(await ports.clientRecords.find(management.client.clientId)).toBeDefined();
    expect(await ports.resourceRecords.find(shared.resourceId)).toBeDefined();
    expect(await ports.webhookRecords.find(itsOwn.webhookId)).toBeUndefined();
    expect(await ports.webhookRecords.find(ofTenant.webhookId)).toBeDefined();
    await expect(
      createResource(ports, { tenant }, { ...lifetimes, name: 'Orders', uri }, nowSeconds()),
    ).resolves.toBeDefined();
  });

  test('a tenant is deleted only when it is empty, with its management clients, webhooks and hosts', async () => {
    const ports = storedPorts(store());
    const tenant = await createTenant(ports, { name: 'Example' }, nowSeconds());
    const application = await createApplication(ports, tenant, { name: 'Shop' }, nowSeconds());
    const { client } = await createClient(ports, { tenant }, { name: 'Admin' }, nowSeconds());
    const webhookMac = { mac: async () => 'a MAC' };
    const url = 'https://hooks.example.com/';
    const { webhook } = await createWebhook({ ...ports, webhookMac }, tenant, { url }, nowSeconds());
    const [host, ofOther] = [`${crypto.randomUUID()}.example`, `${crypto.randomUUID()}.example`];
    await ports.uriOwnerRecords.reserveHost(tenant.tenantId, host);
    await ports.uriOwnerRecords.reserveHost('other', ofOther);
    await expect(deleteTenant(ports, tenant.tenantId)).rejects.toMatchObject({
      key: 'in_use',
      message: 'The tenant has applications: delete them first',
    });
    await deleteApplication({ ...ports, ...secrets() }, tenant, application.applicationId);
    await deleteTenant(ports, tenant.tenantId);
    expect(await ports.tenantRecords.find(tenant.tenantId)).toBeUndefined();
    expect(await ports.clientRecords.find(client.clientId)).toBeUndefined();
    expect(await ports.webhookRecords.find(webhook.webhookId)).toBeUndefined();
    expect(await ports.uriOwnerRecords.reserveHost('other', host)).toBe(true);
    expect(await ports.uriOwnerRecords.reserveHost('third', ofOther)).toBe(false);
    await expect(deleteTenant(ports, tenant.tenantId)).rejects.toMatchObject({ key: 'tenant_not_found' });
  });

  test('records of another tenant are as unknown as none', async () => {
    const ports = storedPorts(store());
    const tenant = someTenant();
    const application = await createApplication(ports, tenant, { name: 'Shop' }, nowSeconds());
    const { client } = await createClient(ports, { tenant, application }, { name: 'Backend' }, nowSeconds());
    const stranger = someTenant();
    const { applicationId } = application;
    await expect(
      updateApplication(ports, stranger, applicationId, { name: 'X' }, nowSeconds()),
    ).rejects.toMatchObject({
      key: 'application_not_found',
    });
    await expect(
      deleteApplication({ ...ports, ...secrets() }, stranger, applicationId),
    ).rejects.toMatchObject({
      key: 'application_not_found',
    });
    await expect(rotateSecret(ports, stranger, client.clientId, nowSeconds())).rejects.toMatchObject({
      key: 'client_not_found',
    });
  });
});
