import { passkeyRecord } from '../../shared/domain/passkey-record.ts';
import { lambda } from '../../shared/http/lambda.ts';
import type { UseCase } from '../../shared/operation.ts';
import { listPasskeys as operation } from '../rows/passkeys.ts';
import { requirePasskeyOwner } from './place.ts';

/** Lists the passkeys of a user. */
export const useCase: UseCase<typeof operation> = async ({ path, caller, settings, audit }, ports) => {
  audit({ userId: path.userId });
  const { userId } = await requirePasskeyOwner(ports, caller, path.userId, settings);
  return { json: { result: (await ports.passkeyRecords.listOf(userId)).map(passkeyRecord) } };
};

export const handler = lambda(operation, useCase);
