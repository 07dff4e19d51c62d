import { expect, test } from '@jest/globals';
import type { AuthorizationRequest } from '../../../shared/domain/oauth/authorization-request.ts';
import { loginFacts } from '../../../shared/domain/oauth/code-facts.ts';
import type { ClientOfTenant } from '../../../shared/ports/directory.ts';
import type { MethodUse } from '../../../shared/ports/flows.ts';
import { T } from '../../support/server/records.ts';

const place = {
  tenant: { tenantId: 'tenant' },
  application: { applicationId: 'app' },
  client: { clientId: 'client' },
} as unknown as ClientOfTenant;

const useOf = (method: MethodUse['method'], worth: MethodUse['worth']): MethodUse => ({
  method,
  worth,
  at: T,
  scope: '*',
  credential: method,
});

const factsOf = (requireMfa: boolean, ...methods: readonly MethodUse[]) =>
  loginFacts(place, { origin: 'oidc', requireMfa } as AuthorizationRequest, {
    userId: 'ann',
    methods,
    generation: 1,
  });

test.each([
  ['one factor', [useOf('eotp', 'proven')]],
  ['two codes to one mailbox', [useOf('eotp', 'proven'), useOf('eml', 'proven')]],
  ['a passkey that the client vouches for', [useOf('webauthn', 'vouched'), useOf('eotp', 'proven')]],
  [
    'a factor that this login verified for the first time',
    [useOf('webauthn', 'verified'), useOf('eotp', 'proven')],
  ],
])('a request that demands MFA gets no code for %s', (_title, methods) => {
  expect(() => factsOf(true, ...methods)).toThrow('A second factor is required');
  expect(factsOf(false, ...methods)).toMatchObject({ userId: 'ann', authTime: T });
});

test('a request that demands MFA gets a code for two proven factors', () => {
  expect(factsOf(true, useOf('webauthn', 'proven'), useOf('eotp', 'proven')).methods).toHaveLength(2);
});
