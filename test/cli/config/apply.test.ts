import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { madeApplication, toCredentials } from '../../support/fixtures/managed.ts';
import { newEmail } from '../../support/fixtures/people.ts';
import { otlAt } from '../../support/server/otl.ts';
import { useTestServer } from '../../support/server/use-test-server.ts';
import { findRecord, type Json, type Tenant, useSettings } from '../support/settings.ts';

jest.setTimeout(120_000);

const server = useTestServer({ rateLimits: 'off', events: true });
const { otl, json } = otlAt(server);
const { apply, changed, exported, loseSettings, plan, records, settings, write } = useSettings(server);
const restore = () => write(settings);

describe('exporting and applying settings with otl config', () => {
  afterEach(restore);

  test('an export of otl config contains IDs and secret hashes, but no secrets and no personal data', () => {
    const text = JSON.stringify(settings);
    const [{ applications, clients, webhooks, resources, organizations }] = settings.tenants as [Tenant];
    expect(findRecord(applications, 'name', 'Shop')).toMatchObject({
      rp_id: 'shop.example.com',
      roles: [{ name: 'clerk' }],
    });
    expect(findRecord(clients, 'client_id', records.backend.client_id)).toMatchObject({
      app_id: records.backend.app_id,
      secrets: [
        { secret_id: records.backend.secrets[0]?.secret_id, hash: expect.stringMatching(/^[\w-]{43}$/) },
      ],
    });
    expect(findRecord(webhooks, 'webhook_id', records.webhookId)).toMatchObject({
      app_id: records.backend.app_id,
    });
    expect([resources.length, organizations.length]).toEqual([expect.any(Number), 1]);
    for (const secret of [
      records.backend.client_secret,
      records.manager.client_secret,
      records.email,
      'salt',
      'operators0000',
    ])
      expect(text).not.toContain(secret);
  });

  test('otl config apply restores all settings and client credentials of an export in an empty environment', async () => {
    const secrets = toCredentials(records.backend);
    await loseSettings();
    await expect(server.clientToken(secrets)).rejects.toThrow();
    const dry = await apply(settings, '--dry-run');
    expect(dry.code).toBe(0);
    expect(dry.stdout).toContain(records.backend.client_id);
    expect((await exported()).tenants).toEqual([]);

    const applied = await apply(settings, '--yes', '--json');
    expect({ code: applied.code, stderr: applied.stderr }).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('Shop'),
    });
    expect(JSON.parse(applied.stdout)).toMatchObject({
      changed: 0,
      unchanged: 0,
      hosts_reserved: 1,
      create_anew: expect.arrayContaining([
        expect.stringContaining(`webhook rotate-secret ${records.webhookId}`),
        expect.stringContaining(`set-provider ${records.backend.app_id} --provider google`),
        expect.stringContaining(`set-provider ${records.backend.app_id} --provider acme`),
        expect.stringContaining('user import'),
      ]),
    });
    expect(await exported()).toEqual(settings);

    const token = await server.clientToken(secrets);
    const address = newEmail('later');
    await server.post('/v1/users', { email: address }, { token });
    const who = { identifier_type: 'email', identifier: address };
    expect(await server.post('/v1/auth/otp/send', { channel: 'email', ...who }, { token })).toMatchObject({
      status: 200,
    });
    const passcode = await server.codeTo(address);
    const login = await server.post('/v1/auth/otp/authenticate', { ...who, passcode }, { token });
    expect(login).toMatchObject({ status: 200, body: { id_token: expect.any(String) } });
  });

  test('applying the same file a second time with otl config apply changes nothing', async () => {
    const { code, stdout } = await apply(settings, '--json');
    expect({ code, ...(JSON.parse(stdout) as Json) }).toMatchObject({
      ...{ code: 0, created: 0, changed: 0, hosts_reserved: 0, not_in_file: 0, create_anew: [] },
    });
  });

  test('if otl config apply fails in the middle, the next run writes the remaining changes', async () => {
    await loseSettings();
    const total = (await plan(settings)).changes.length;
    for (let position = 0; position < total; position++) {
      expect((await plan(settings)).changes.length).toBe(total - position);
      const stop = async () => Promise.reject(new Error('connection lost'));
      await expect(write(settings, stop)).rejects.toThrow('connection lost');
    }
    expect((await plan(settings)).changes).toEqual([]);
    expect(await exported()).toEqual(settings);
  });

  test('otl config apply requires --yes for a changed redirect URI, but not for changed notice settings', async () => {
    const look = changed(({ applications }) => {
      Object.assign(findRecord(applications, 'name', 'Shop'), { notices: { locked: true } });
    });
    expect(await apply(look)).toMatchObject({ code: 0 });
    await restore();

    const uris = { redirect_uris: ['https://shop.example.com/complete', 'https://evil.example.com/'] };
    const access = changed(({ applications }) => {
      Object.assign(findRecord(applications, 'name', 'Shop'), uris);
    });
    const refused = await apply(access);
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('add --yes') });
    expect(refused.stderr).toContain('evil.example.com');
    expect(await exported()).toEqual(settings);
    expect(await apply(access, '--yes')).toMatchObject({ code: 0 });
    expect(await exported()).toEqual(access);
  });

  test('otl config apply reports a changed hash of a client secret and requires --yes', async () => {
    const other = changed(({ clients }) => {
      const { secrets } = findRecord(clients, 'client_id', records.backend.client_id) as { secrets: Json[] };
      Object.assign(secrets[0] ?? {}, { hash: 'A'.repeat(43) });
    });
    const refused = await apply(other);
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('secrets') });
    const rows = JSON.parse((await apply(other, '--dry-run', '--json')).stdout) as { result: Json[] };
    expect(rows.result).toEqual([
      expect.objectContaining({
        action: 'change',
        id: records.backend.client_id,
        fields: [{ field: 'secrets' }],
      }),
    ]);
  });

  test('otl config apply keeps and lists records that the file does not contain', async () => {
    const extra = await madeApplication(server, { name: 'Extra' });
    const rows = JSON.parse((await apply(settings, '--dry-run', '--json')).stdout) as { result: Json[] };
    expect(rows.result).toEqual([
      expect.objectContaining({ action: 'keep', kind: 'application', id: extra }),
    ]);
    await otl('application', 'delete', extra, '--yes');
  });

  test('otl config apply writes an operator audit line and a list entry for each changed record', async () => {
    const other = changed(({ applications }) => {
      Object.assign(findRecord(applications, 'name', 'Shop'), { name: 'Shop 2' });
    });
    expect(await apply(other, '--yes')).toMatchObject({ code: 0 });
    await server.settleEvents();
    const { body } = await server.get<{ operator_log: Json[] }>(`${server.url}/_local/events`);
    expect(body.operator_log.slice(-3)).toMatchObject([
      { event: 'otl/config/apply', result: 'begun' },
      { record_id: records.backend.app_id, record_kind: 'application', audit: ['management.changed'] },
      { event: 'otl/config/apply', result: 'ok' },
    ]);
    const { result } = await json<{ result: Json[] }>('changes', '--kind', 'application');
    expect(JSON.stringify(result[0])).toContain('Shop 2');
  });
});
