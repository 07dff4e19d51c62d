import { lambda } from '../../shared/aws/lambda.ts';
import { passkeyRecord } from '../../shared/domain/passkeys/passkey-record.ts';
import type { UseCase } from '../../shared/operation.ts';
import { requireReachableUser } from '../../shared/tokens/own-user.ts';
import { listPasskeys as operation } from './rows.ts';

/** Lists the passkeys of a user. */
export const useCase: UseCase<typeof operation> = async ({ path, caller, settings, audit }, ports) => {
  audit({ userId: path.userId });
  const { userId } = await requireReachableUser(ports, caller, path.userId, settings);
  return { json: { result: (await ports.passkeyRecords.listOf(userId)).map(passkeyRecord) } };
};

export const handler = lambda(operation, useCase);
