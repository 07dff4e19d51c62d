import { expect, test } from '@jest/globals';
import * as adapters from '../../shared/aws/adapters.ts';
import { createPorts } from '../../shared/aws/create-ports.ts';

test('a function receives only the port methods that it declares', () => {
  const env = { AWS_REGION: 'eu-central-1', PEOPLE_TABLE: 'people', FLOWS_TABLE: 'flows' };
  const ports = createPorts(['users.find', 'sessions.rotate', 'sessions.end', 'memberships'], adapters, env);
  const verbs = Object.fromEntries(Object.entries(ports).map(([port, has]) => [port, Object.keys(has)]));
  // @ts-expect-error: the function did not declare `users.recordLogin`.
  expect(ports.users.recordLogin).toBeUndefined();
  expect(verbs).toEqual({ users: ['find'], sessions: ['rotate', 'end'], memberships: ['find'] });
});
