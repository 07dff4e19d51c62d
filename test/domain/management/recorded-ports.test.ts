import { expect, test } from '@jest/globals';
import { recordChanges } from '../../../shared/domain/management/recorded-ports.ts';
import type { AuditFacts } from '../../../shared/ports/audit.ts';
import { maskAddress } from '../../../shared/templates/mask.ts';
import { someApplication, someClient } from '../../support/server/records.ts';

test('if a call writes records of two types, only the changes to the first type are recorded', async () => {
  const recorded: AuditFacts[] = [];
  const put = async (_record: object) => true;
  const ports = recordChanges(
    { applicationRecords: { put }, clientRecords: { put } },
    (facts) => void recorded.push(facts),
    maskAddress,
  );
  await ports.applicationRecords.put(someApplication());
  await ports.clientRecords.put(someClient());
  expect(recorded).toMatchObject([{ recordKind: 'application' }]);
});
