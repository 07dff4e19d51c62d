import { expect, test } from '@jest/globals';
import type { AuthorizationRequest } from '../../../shared/domain/oauth/authorization-request.ts';
import { addResourceScopes } from '../../../shared/domain/oauth/resource-scopes.ts';
import type { Client, Resource } from '../../../shared/ports/directory.ts';
import { someApplication, someClient, someResource } from '../../support/server/records.ts';

const application = someApplication();
const own = { applicationId: application.applicationId };
const scopes = [
  { name: 'read', default: true, maxAge: 600 },
  { name: 'write', maxAge: 60 },
  { name: 'burn', acr: 'mfa' },
] as const;
const notes = someResource({ ...own, uri: 'https://notes.example.com/', scopes });
const files = someResource({ ...own, uri: 'https://files.example.com/' });
const foreign = someResource({
  applicationId: 'other',
  uri: 'https://other.example.com/',
  scopes,
});
const document = { clientId: 'https://agent.example.com/client.json' };

/** Adds the scopes of resources to a request. `scope` is the requested scope. */
async function add(
  scope: string,
  change: Partial<AuthorizationRequest> = {},
  {
    known = [foreign, files, notes],
    client = {},
  }: { known?: readonly Resource[]; client?: Partial<Client> } = {},
) {
  const ports = {
    resources: { findByUri: async (_: string, uri: string) => known.find((each) => each.uri === uri) },
    resourcesOfTenant: { list: async () => known },
  } as never;
  const granted = scope.split(' ').filter((name) => ['openid', 'offline_access'].includes(name));
  const request = {
    ...{ scope: granted.join(' '), resources: [], prompts: [], requireMfa: false, offlineAccess: false },
    redirectUri: 'https://agent.example.com/callback',
    ...change,
  } as unknown as AuthorizationRequest;
  const requester = { client: someClient({ ...own, ...client }), application };
  const {
    resources,
    scope: added,
    maxAge,
    requireMfa,
    consent,
  } = await addResourceScopes(...[ports, requester, request, { scope }]);
  return { resources, scope: added, maxAge, requireMfa, asked: consent?.scopes.map(({ name }) => name) };
}

const unchanged = { resources: [], requireMfa: false, asked: undefined, maxAge: undefined };
const ofNotes = { ...unchanged, resources: [notes.uri] };

test.each<[string, string, Partial<AuthorizationRequest>, object]>([
  ['only scopes of the service', 'openid', {}, { ...unchanged, scope: 'openid' }],
  ['an unknown scope', 'openid unknown', {}, { ...unchanged, scope: 'openid' }],
  ['a scope of a resource', 'openid read unknown', {}, { ...ofNotes, scope: 'openid read', maxAge: 600 }],
  ['two scopes of a resource', 'read write', {}, { ...ofNotes, scope: 'read write', maxAge: 60 }],
  ['a lower max_age', 'openid read', { maxAge: 9 }, { ...ofNotes, scope: 'openid read', maxAge: 9 }],
  ['a scope that requires MFA', 'openid burn', {}, { ...ofNotes, scope: 'openid burn', requireMfa: true }],
  [
    'MFA',
    'openid read',
    { requireMfa: true },
    { ...ofNotes, scope: 'openid read', maxAge: 600, requireMfa: true },
  ],
  ['a resource without a scope', '', { resources: [notes.uri] }, { ...ofNotes, scope: 'read', maxAge: 600 }],
  ['a resource with openid', 'openid', { resources: [notes.uri] }, { ...ofNotes, scope: 'openid' }],
  [
    'a resource without scopes',
    'read',
    { resources: [files.uri] },
    { ...unchanged, resources: [files.uri], scope: '' },
  ],
])('an authorization request for %s gets the scopes of the resource', async (_, scope, change, expected) => {
  expect(await add(scope, change)).toEqual(expected);
});

test.each([
  ['nothing known', 'unknown', {}, /scope: must include openid/],
  ['a resource of another application', 'openid', { resources: [foreign.uri] }, 'resource_not_found'],
])('an authorization request for %s is rejected', async (_, scope, change, message) => {
  await expect(add(scope, change)).rejects.toThrow(message);
});

test('a client with a metadata document gets tokens only for a resource, by default the only one', async () => {
  const client = document;
  const asked = ['openid', 'burn'];
  expect(await add('openid offline_access burn', {}, { client })).toEqual({
    ...{ ...ofNotes, scope: 'openid offline_access burn', asked },
  });
  expect(await add('openid', {}, { client, known: [foreign, notes] })).toMatchObject({
    resources: [notes.uri],
  });
  for (const known of [[foreign], [files, notes]])
    await expect(add('openid', {}, { client, known })).rejects.toThrow('resource_not_found');
});
