import { describe, expect, test } from '@jest/globals';
import { newJob, withoutTimeLimit } from '../../../shared/domain/jobs/job.ts';
import {
  applyApplicationFields,
  toApplicationRecord,
} from '../../../shared/domain/management/application-record.ts';
import {
  createApplication,
  deleteApplication,
  removeApplicationData,
  updateApplication,
} from '../../../shared/domain/management/applications.ts';
import { listShownLinks } from '../../../shared/domain/management/brand-links.ts';
import type { Application, ApplicationFields } from '../../../shared/ports/directory.ts';
import { someApplication, someResource, someTenant, T } from '../../support/server/records.ts';

const provider = (name: string, issuer = `https://${name}.example`) => ({
  name,
  label: name,
  client_id: 'id',
  issuer,
});
const stored = ({ client_id: clientId, ...rest }: ReturnType<typeof provider>) => ({ ...rest, clientId });
const application = someApplication({
  openidProviders: [stored(provider('own')), stored(provider('local', 'http://localhost:1'))],
});
const set = (fields: ApplicationFields, current = application) => applyApplicationFields(current, fields, T);
const uris = (count: number) => Array.from({ length: count }, (_, n) => `https://shop.example/${n}`);
const brand = { primary_color: '#777777' };

describe('limits of the settings of an application', () => {
  test.each<[string, ApplicationFields]>([
    ['100 redirect URIs', { redirect_uris: uris(100) }],
    ['a readable text colour', { brand: { ...brand, on_primary_color: '#000' } }],
    ['a known issuer that is not public', { openid_providers: [provider('local', 'http://localhost:1')] }],
  ])('an application may have %s', (_title, fields) => {
    expect(toApplicationRecord(set(fields))).toMatchObject(fields);
  });

  test.each<[string, ApplicationFields, string]>([
    [
      'more than 100 redirect URIs',
      { redirect_uris: uris(99), add_redirect_uris: ['https://a.example/', 'https://b.example/'] },
      'add_redirect_uris: an application has at most 100',
    ],
    [
      'a long idle time',
      { session_absolute_seconds: 60, session_idle_seconds: 61 },
      'session_idle_seconds: must be at most 60',
    ],
    [
      'unreadable text in light mode',
      { brand: { ...brand, on_primary_color: '#888' } },
      'brand.on_primary_color: #888 on #777777',
    ],
    [
      'a text colour without a background',
      { brand: { on_primary_color: '#fff' } },
      'brand.on_primary_color: needs primary_color',
    ],
    [
      'a text colour in dark mode without a background',
      { brand: { on_primary_color_dark: '#fff' } },
      'brand.on_primary_color_dark: needs primary_color_dark',
    ],
    [
      'unreadable text in dark mode',
      { brand: { primary_color_dark: '#fff', on_primary_color_dark: '#ff0' } },
      'brand.on_primary_color_dark: #ff0 on #ffffff',
    ],
    ['a logo that is no image', { brand: { base64logo: 'AAAA' } }, 'brand.base64logo: must be'],
    [
      'a provider with the name of a login method',
      { openid_providers: [provider('email')] },
      'openid_providers.0.name: must not be',
    ],
    [
      'two providers of the same name',
      { openid_providers: [provider('a'), provider('a')] },
      'openid_providers.1.name: must be unique',
    ],
    [
      'a provider logo that is no image',
      { openid_providers: [{ ...provider('a'), base64logo: 'AAAA' }] },
      'openid_providers.0.base64logo: must be',
    ],
    [
      'the issuer of another provider',
      { openid_providers: [provider('own', 'http://localhost:1')] },
      'openid_providers.0.issuer: must be',
    ],
    ...[
      'https://a.example/?q',
      'https://a.example/#f',
      'https://user@a.example/',
      'https://:word@a.example/',
      'http://a.example/',
      'https://10.0.0.1/',
      'a',
    ].map((issuer): [string, ApplicationFields, string] => [
      `the issuer ${issuer}`,
      { openid_providers: [provider('a', issuer)] },
      'openid_providers.0.issuer: must be',
    ]),
  ])('an application cannot have %s', (_title, fields, message) => {
    expect(() => set(fields)).toThrow(message);
  });

  test('hosted pages show only https links to hosts that belong to the application', () => {
    const links = {
      helpUri: 'https://shop.example/help',
      termsUri: 'http://shop.example/',
      privacyUri: 'https://evil.example/',
    };
    const own = someApplication({ redirectUris: ['https://shop.example/', 'com.shop:/'], brand: links });
    expect(listShownLinks(own)).toEqual({
      help: links.helpUri,
      terms: undefined,
      privacy: undefined,
      home: undefined,
    });
    expect(() => set({ home_uri: 'https://evil.example/' }, own)).toThrow(
      'home_uri: must use https and a host',
    );
    expect(set({ home_uri: 'https://shop.example/' }, own).homeUri).toBe('https://shop.example/');
  });
});

describe('records that belong to an application', () => {
  const tenant = someTenant(application);
  const { tenantId } = tenant;
  const { applicationId } = application;

  function createPorts(resources: readonly object[] = [], current: Application = application) {
    const calls: unknown[] = [];
    const note =
      (name: string, result: unknown = undefined) =>
      async (...given: unknown[]) => {
        calls.push([name, ...given]);
        return result;
      };
    const none = async () => ({ items: [] });
    const ports = {
      applicationRecords: {
        find: async () => current,
        areAtLeast: async () => false,
        put: async () => true,
        replace: async () => true,
        remove: note('remove application', false),
      },
      resourceRecords: { find: async (id: string) => resources[Number(id)], list: none },
      clientRecords: { list: note('list clients', { items: [] }) },
      webhookRecords: { list: none },
      providerSecretRecords: { remove: note('remove secret') },
      formerIssuers: { remove: note('remove issuer') },
      formerApplications: { remember: note('remember') },
      jobs: { put: async (job: object) => job, remove: note('remove job') },
    };
    return { ports: ports as never, calls };
  }

  test('the secret of an OpenID provider is deleted when the provider is removed', async () => {
    const { ports, calls } = createPorts();
    const own = { tenant, applicationId };
    await updateApplication(ports, own, { name: 'New' }, T);
    expect(calls).toEqual([]);
    await updateApplication(ports, own, { openid_providers: [provider('own')] }, T);
    expect(calls).toEqual([['remove secret', applicationId, 'openid/local']]);
  });

  test('the secrets of all providers are deleted before an application is deleted', async () => {
    const { ports, calls } = createPorts();
    const before = Math.floor(Date.now() / 1000);
    const deleting = deleteApplication(ports, tenant, applicationId, withoutTimeLimit(T));
    await expect(deleting).rejects.toMatchObject({ key: 'application_not_found' });
    const steps = calls as readonly (readonly unknown[])[];
    const secrets = steps.filter(([name]) => name === 'remove secret').map(([, , name]) => name);
    expect(secrets).toEqual(expect.arrayContaining(['google', 'apple', 'openid/own', 'openid/local']));
    const rest = steps.slice(secrets.length);
    expect(rest).toEqual([
      ['remove issuer', applicationId],
      ['remember', tenantId, applicationId, expect.any(Number)],
      ['remove application', applicationId],
    ]);
    // Codes and failed attempts can outlive the application by 31 days and one hour, and caches by one minute.
    expect(rest[1]?.[3]).toBeGreaterThanOrEqual(before + 31 * 86_400 + 3600 + 60);
  });

  test('the records of an application that was not deleted stay', async () => {
    const { ports, calls } = createPorts();
    const job = newJob('delete-application', tenant, applicationId, T);
    expect(await removeApplicationData(ports, job, withoutTimeLimit(T))).toBe(true);
    expect(calls).toEqual([['remove job', job]]);
  });

  test('only resources of the tenant can be added to an application', async () => {
    const all = [someResource({ tenantId }), someResource({ tenantId, applicationId }), someResource()];
    const unknown = `${all.length}`;
    const shared = someResource({ tenantId });
    const { applicationId: _, ...own } = { ...all[0] };
    const { ports } = createPorts([own, ...all.slice(1)]);
    const change = (resources: readonly string[], current?: Application) =>
      updateApplication(
        current ? createPorts([], current).ports : ports,
        { tenant, applicationId },
        { resources: [...resources] },
        T,
      );
    expect((await change(['0', '0'])).resourceIds).toEqual(['0']);
    for (const id of ['1', '2', unknown])
      await expect(change(['0', id])).rejects.toThrow(
        'resources.1: is not the ID of a resource of the tenant',
      );
    await expect(createApplication(ports, { tenant }, { name: 'New', resources: ['1'] }, T)).rejects.toThrow(
      'resources.0',
    );
    // A resource that the application already has is not checked again.
    const current = { ...application, resourceIds: [shared.resourceId] };
    expect((await change([shared.resourceId], current)).resourceIds).toEqual([shared.resourceId]);
  });
});
