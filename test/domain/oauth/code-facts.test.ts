import { expect, test } from '@jest/globals';
import type { AuthorizationRequest } from '../../../shared/domain/oauth/authorization-request.ts';
import { buildCodeFacts, buildLoginFacts } from '../../../shared/domain/oauth/code-facts.ts';
import type { Application, Client, ClientOfTenant } from '../../../shared/ports/directory.ts';
import type { MethodUse } from '../../../shared/ports/flows.ts';
import { someApplication, someClient, someTenant, T } from '../../support/server/records.ts';

const place = {
  tenant: { tenantId: 'tenant' },
  application: { applicationId: 'app' },
  client: { clientId: 'client' },
} as unknown as ClientOfTenant;

const createUse = (method: MethodUse['method'], worth: MethodUse['worth']): MethodUse => ({
  method,
  worth,
  at: T,
  scope: '*',
  credential: method,
});

const createFacts = (requireMfa: boolean, ...methods: readonly MethodUse[]) =>
  buildLoginFacts(place, { origin: 'oidc', requireMfa } as AuthorizationRequest, {
    userId: 'ann',
    methods,
    generation: 1,
  });

test.each([
  ['one factor', [createUse('eotp', 'proven')]],
  ['two codes to one mailbox', [createUse('eotp', 'proven'), createUse('eml', 'proven')]],
  [
    'a passkey that only the client has verified',
    [createUse('webauthn', 'vouched'), createUse('eotp', 'proven')],
  ],
  [
    'a factor that is verified but not proven',
    [createUse('webauthn', 'verified'), createUse('eotp', 'proven')],
  ],
])('an authorization request that requires MFA returns no code after a login with %s', (_title, methods) => {
  expect(() => createFacts(true, ...methods)).toThrow('A second factor is required');
  expect(createFacts(false, ...methods)).toMatchObject({ userId: 'ann', authTime: T });
});

test('an authorization request that requires MFA returns an authorization code after a login with two factors', () => {
  expect(
    createFacts(true, createUse('webauthn', 'proven'), createUse('eotp', 'proven')).methods,
  ).toHaveLength(2);
});

const document = { clientId: 'https://agent.example.com/client.json' };

test.each<['oidc' | 'browser', Partial<Application>, Partial<Client>, 'requested' | undefined]>([
  ['oidc', {}, {}, undefined],
  ['oidc', { idTokenClaims: 'requested' }, {}, 'requested'],
  ['oidc', {}, document, 'requested'],
  ['browser', { idTokenClaims: 'requested' }, {}, undefined],
])(
  'a code of the origin %s for the application %j and the client %j has the setting idTokenClaims=%s',
  (origin, application, client, idTokenClaims) => {
    const owner = {
      tenant: someTenant(),
      application: someApplication(application),
      client: someClient(client),
    };
    const request = { origin, redirectUri: 'app:/', scope: 'openid', offlineAccess: false, resources: [] };
    const user = { userId: 'ann', methods: [createUse('eotp', 'proven')], generation: 1 };
    expect(buildCodeFacts(owner as ClientOfTenant, request, user)).toStrictEqual({
      ...{ ...request, ...user, authTime: T, ...(idTokenClaims && { idTokenClaims }) },
      tenantId: owner.tenant.tenantId,
      applicationId: owner.application.applicationId,
      clientId: owner.client.clientId,
    });
  },
);
