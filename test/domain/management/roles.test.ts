import { expect, test } from '@jest/globals';
import { readRoles } from '../../../shared/domain/management/roles.ts';
import { someApplication } from '../../support/server/records.ts';

const application = someApplication({ applicationId: 'app' });
const list = (count: number) => Array.from({ length: count }, (_, n) => `orders:${n}`);

test('the permissions of roles are normalised', () => {
  const permissions = ['[appId]:edit', 'app:edit', 'users:read'];
  expect(readRoles(application, [{ name: 'editor', permissions }])).toEqual([
    { name: 'editor', permissions: ['app:edit', 'users:read'] },
  ]);
});

test('the roles of an application have different names and at most 500 permissions in total', () => {
  const roles = [
    { name: 'one', permissions: list(400) },
    { name: 'two', permissions: list(100) },
  ];
  expect(readRoles(application, roles)).toEqual(roles);
  const more = { name: 'three', permissions: list(1) };
  expect(() => readRoles(application, [...roles, more])).toThrow('roles: must not have more than 500');
  expect(() => readRoles(application, [...roles, { ...more, name: 'two' }])).toThrow(
    'roles.2.name: must be unique',
  );
});
