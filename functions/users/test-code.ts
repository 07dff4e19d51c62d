import { requireTestCode, testCodeRecord } from '../../shared/domain/sending/test-code.ts';
import type { UseCase } from '../../shared/operation.ts';
import type * as rows from './rows.ts';

/** Returns the passcode of a test user, which is stored instead of being sent. */
export const readTestCode: UseCase<typeof rows.readTestCode> = async (
  { path, caller, request, audit },
  ports,
) => {
  const code = await requireTestCode(ports, caller, path.userId, request.now);
  audit({ userId: path.userId });
  return { json: { result: testCodeRecord(code) } };
};
