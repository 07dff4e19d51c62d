import { describe, expect, test } from '@jest/globals';
import { operations } from '../../../functions/operations.ts';
import { computeGrantedScope } from '../../../shared/domain/oauth/permissions.ts';
import { someClient } from '../../support/server/records.ts';
import { GIVEN_APART } from '../../support/tools/calls.ts';

const narrow = someClient({ permissions: ['apps:execute', 'users:read'] });

describe('permissions in the scope of a client token', () => {
  test('a client token requested without a scope has all permissions of the client', () => {
    expect(computeGrantedScope(narrow, undefined, undefined)).toBe('apps:execute users:read');
    expect(computeGrantedScope(narrow, undefined, '  ')).toBe('apps:execute users:read');
  });

  test('a requested scope limits the permissions of a client token', () => {
    expect(computeGrantedScope(narrow, undefined, 'users:read')).toBe('users:read');
    expect(computeGrantedScope(narrow, undefined, 'users:read apps:execute')).toBe('users:read apps:execute');
  });

  test('a client token does not contain a requested permission that the client lacks', () => {
    expect(computeGrantedScope(narrow, undefined, 'users:read users:delete')).toBe('users:read');
  });

  test('a token request is rejected with invalid_scope if the client lacks all requested permissions', () => {
    const refused = expect.objectContaining({ key: 'invalid_scope' });
    expect(() => computeGrantedScope(narrow, undefined, 'users:delete')).toThrow(refused);
    expect(() => computeGrantedScope(someClient({ permissions: [] }), undefined, 'apps:execute')).toThrow(
      refused,
    );
  });

  const application = {
    roles: [
      { name: 'support', permissions: ['users:read', 'users:edit'] },
      { name: 'sender', permissions: ['auth:execute', 'users:read'] },
    ],
  };

  test('a client has its own permissions and those of its roles', () => {
    const ofRoles = someClient({ roles: ['support', 'sender'] });
    expect(computeGrantedScope(ofRoles, application, undefined)).toBe('users:read users:edit auth:execute');
    const both = someClient({ permissions: ['users:delete', 'users:read'], roles: ['sender'] });
    expect(computeGrantedScope(both, application, undefined)).toBe('users:delete users:read auth:execute');
    expect(computeGrantedScope(both, application, 'auth:execute')).toBe('auth:execute');
  });

  test('a client role that the application does not define grants no permission', () => {
    for (const roles of [['other'], ['constructor'], []])
      expect(computeGrantedScope(someClient({ roles }), application, undefined)).toBe('');
    expect(computeGrantedScope(someClient({ roles: ['support'] }), undefined, undefined)).toBe('');
  });

  test('a client whose permission list is empty has no permissions', () => {
    expect(computeGrantedScope(someClient({ permissions: [] }), undefined, undefined)).toBe('');
  });

  test('a client without a permission list may call all client operations', () => {
    const client = someClient();
    const granted = computeGrantedScope(client, undefined, undefined).split(' ');
    const asked = Object.values(operations).flatMap(({ permissions }) => permissions ?? []);
    for (const name of asked.filter((each) => !GIVEN_APART.includes(each)))
      expect(granted).toContain(name.replace('[appId]', String(client.applicationId)));
    expect(new Set(granted).size).toBe(granted.length);
  });

  test('a token of a management client has the scope *', () => {
    const { applicationId: _, ...management } = someClient({ kind: 'management' });
    expect(computeGrantedScope(management, undefined, undefined)).toBe('*');
    expect(computeGrantedScope(management, undefined, '*')).toBe('*');
    expect(() => computeGrantedScope(management, undefined, 'users:read')).toThrow(
      expect.objectContaining({ key: 'invalid_scope' }),
    );
  });
});
