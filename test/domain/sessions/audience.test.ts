import { expect, test } from '@jest/globals';
import { resolveAudience, resolveClientAudience } from '../../../shared/domain/sessions/audience.ts';
import { storedPorts } from '../../support/fixtures/directory.ts';
import { someApplication, someClient, someResource, someTenant } from '../../support/server/records.ts';
import { describeStore } from '../../support/server/store.ts';

const settings = { defaultAudience: 'https://id.example.com/cis/oidc' };

describeStore('audience of tokens', (store) => {
  const { tenantId } = someTenant();
  const application = someApplication({ tenantId });
  const client = someClient({ tenantId, applicationId: application.applicationId });
  const caller = { client, application };

  async function stored(change: Parameters<typeof someResource>[0]) {
    const ports = storedPorts(store());
    const resource = someResource({ tenantId, ...change });
    await ports.resourceRecords.put(resource);
    await ports.resourceRecords.reserveUri(resource.tenantId, resource.uri, resource.resourceId);
    return { ports, resource };
  }

  const ports = () => storedPorts(store());
  const refused = { key: 'resource_not_found' };

  test('tokens requested without a resource have the default audience and lifetimes', async () => {
    expect(await resolveAudience(ports(), caller, undefined, settings)).toEqual({
      aud: settings.defaultAudience,
      accessTokenSeconds: 3600,
      refreshTokenSeconds: 14 * 86_400,
      maxRefreshRotateSeconds: 14 * 86_400,
    });
  });

  test('tokens requested without a resource have the lifetimes that the client configures', async () => {
    const own = { accessTokenSeconds: 60, refreshTokenSeconds: 120, maxRefreshRotateSeconds: 180 };
    expect(
      await resolveAudience(ports(), { ...caller, client: { ...client, ...own } }, undefined, settings),
    ).toEqual({ aud: settings.defaultAudience, ...own });
  });

  test('a token requested for a resource has the lifetimes that the resource configures', async () => {
    const { ports: own, resource } = await stored({ applicationId: application.applicationId });
    const lifetimes = { accessTokenSeconds: 60, refreshTokenSeconds: 120, maxRefreshRotateSeconds: 180 };
    const impatient = { ...caller, client: { ...client, ...lifetimes } };
    expect(await resolveAudience(own, impatient, resource.uri, settings)).toEqual({
      aud: resource.uri,
      resource: resource.uri,
      accessTokenSeconds: resource.accessTokenSeconds,
      refreshTokenSeconds: resource.refreshTokenSeconds,
      maxRefreshRotateSeconds: resource.maxRefreshRotateSeconds,
    });
  });

  test.each([
    ['unknown', 'https://unknown.example.com/'],
    ['empty', ''],
    ['2,000 characters long', `https://a.example/${'x'.repeat(2000)}`],
  ])('N042 a resource URI that is %s is rejected', async (_name, uri) => {
    await expect(resolveAudience(ports(), caller, uri, settings)).rejects.toMatchObject(refused);
  });

  test('a token request for a resource of another application is rejected', async () => {
    const { ports: own, resource } = await stored({ applicationId: 'another' });
    const attached = { client, application: { ...application, resourceIds: [resource.resourceId] } };
    await expect(resolveAudience(own, attached, resource.uri, settings)).rejects.toMatchObject(refused);
  });

  test('a token request is rejected if it spells the resource URI differently', async () => {
    const { ports: own, resource } = await stored({ applicationId: application.applicationId });
    for (const uri of [resource.uri.toUpperCase(), `${resource.uri}/`, resource.uri.slice(0, -1)])
      await expect(resolveAudience(own, caller, uri, settings)).rejects.toMatchObject(refused);
  });

  test('a token of a management client is valid for an hour at most', async () => {
    const { ports: own, resource } = await stored({ accessTokenSeconds: 7200 });
    const seconds = async (kind: 'application' | 'management') =>
      (await resolveClientAudience(own, { client: { ...client, kind } }, resource.uri, settings))
        .accessTokenSeconds;
    expect([await seconds('management'), await seconds('application')]).toEqual([3600, 7200]);
  });

  test('only client tokens can have the audience of identity verification', async () => {
    const fixed = 'https://verify.example.com';
    const withFixed = { ...settings, identityVerificationResource: fixed };
    expect(await resolveClientAudience(ports(), caller, fixed, withFixed)).toMatchObject({ aud: fixed });
    expect(await resolveClientAudience(ports(), caller, undefined, withFixed)).toMatchObject({
      aud: settings.defaultAudience,
    });
    await expect(resolveClientAudience(ports(), caller, fixed, settings)).rejects.toMatchObject(refused);
    await expect(resolveAudience(ports(), caller, fixed, withFixed)).rejects.toMatchObject(refused);
  });
});
