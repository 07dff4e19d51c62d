import { expect, test } from '@jest/globals';
import { Cloud } from './support/cloud.ts';
import { synthesized } from './support/synthesized.ts';

const { templates } = synthesized('eu with a restored table, and SMS from a number of its own');
const cloud = new Cloud(templates);

test('functions use a configured restored table, and the stack keeps the original table', () => {
  const [function_] = cloud.functions().filter(({ name }) => name === 'otl-eu-users-get-user');
  expect(function_?.variables).toMatchObject({
    PEOPLE_TABLE: 'otl-eu-people-restored',
    DIRECTORY_TABLE: 'otl-eu-directory',
  });
  const reached = function_?.statements
    .filter(({ Action }) => Action.some((action) => action.startsWith('dynamodb:')))
    .flatMap(({ Resource }) => Resource ?? []);
  const restored = reached?.filter((resource) => resource.includes('people'));
  expect(restored?.length).toBeGreaterThan(0);
  for (const resource of restored ?? []) expect(resource).toMatch(/table[:/]otl-eu-people-restored/);
  const own = cloud.resources('AWS::DynamoDB::GlobalTable').map(({ properties }) => properties.TableName);
  expect(own.toSorted()).toEqual(['otl-eu-directory', 'otl-eu-flows', 'otl-eu-people']);
});
