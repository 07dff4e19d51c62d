import { lambda } from '../../shared/aws/lambda.ts';
import { deviceKeyRecord } from '../../shared/domain/credentials/device-keys.ts';
import type { UseCase } from '../../shared/operation.ts';
import { requireOwnUser } from '../../shared/tokens/own-user.ts';
import { listDeviceKeys as operation } from './rows.ts';

/** Lists the device keys of the user of the access token. */
export const useCase: UseCase<typeof operation> = async ({ caller, settings }, ports) => {
  const { userId } = await requireOwnUser(ports, caller, settings);
  return { json: { result: (await ports.deviceKeys.listOf(userId)).map(deviceKeyRecord) } };
};

export const handler = lambda(operation, useCase);
