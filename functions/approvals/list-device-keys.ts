import { deviceKeyRecord } from '../../shared/domain/device-keys.ts';
import { lambda } from '../../shared/http/lambda.ts';
import type { UseCase } from '../../shared/operation.ts';
import { requireOwnUser } from '../../shared/tokens/own-user.ts';
import { listDeviceKeys as operation } from '../rows/approvals.ts';

/** Lists the device keys of the user of the access token. */
export const useCase: UseCase<typeof operation> = async ({ caller, settings }, ports) => {
  const { userId } = await requireOwnUser(ports, caller, settings);
  return { json: { result: (await ports.deviceKeys.listOf(userId)).map(deviceKeyRecord) } };
};

export const handler = lambda(operation, useCase);
