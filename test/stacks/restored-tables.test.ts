import { expect, test } from '@jest/globals';
import { Cloud } from './support/cloud.ts';
import { synthesized } from './support/synthesized.ts';
import type { VariantName } from './support/variants.ts';

const restoredVariant = 'eu with restored tables, and SMS from a number of its own';
const { templates } = synthesized(restoredVariant);
const cloud = new Cloud(templates);

test('configured restored tables replace the original tables, which are kept', () => {
  const [function_] = cloud.functions().filter(({ name }) => name === 'otl-eu-users-get-user');
  expect(function_?.variables).toMatchObject({
    PEOPLE_TABLE: 'otl-eu-people-restored',
    DIRECTORY_TABLE: 'otl-eu-directory-restored',
  });
  const reached = function_?.statements
    .filter(({ Action }) => Action.some((action) => action.startsWith('dynamodb:')))
    .flatMap(({ Resource }) => Resource ?? []);
  const restored = reached?.filter((resource) => !resource.includes('flows'));
  expect(restored?.length).toBeGreaterThan(0);
  for (const resource of restored ?? [])
    expect(resource).toMatch(/:table\/otl-eu-(people|directory)-restored/);
  const own = cloud.resources('AWS::DynamoDB::GlobalTable').map(({ properties }) => properties.TableName);
  expect(own.toSorted()).toEqual(['otl-eu-directory', 'otl-eu-flows', 'otl-eu-people']);
});

test('the backup selection of restored tables has a different name from the selection that it replaces', () => {
  const selections = (name: VariantName) =>
    new Cloud(synthesized(name).templates)
      .resources('AWS::Backup::BackupSelection')
      .map(({ properties }) => properties.BackupSelection);
  expect(selections('eu')).toMatchObject([{ SelectionName: 'directory-and-people' }]);
  expect(selections(restoredVariant)).toMatchObject([
    { SelectionName: 'directory-restored-and-people-restored' },
  ]);
});
