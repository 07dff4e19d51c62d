import { lambda } from '../../shared/aws/lambda.ts';
import { createDeviceKey, deviceKeyRecord } from '../../shared/domain/credentials/device-keys.ts';
import type { UseCase } from '../../shared/operation.ts';
import { requireOwnUser } from '../../shared/tokens/own-user.ts';
import { createDeviceKey as operation } from './rows.ts';

/** Takes the public key of a device, which will sign approvals of the user of the access token. */
export const useCase: UseCase<typeof operation> = async ({ json, caller, settings }, ports) => {
  const user = await requireOwnUser(ports, caller, settings);
  return { json: { result: deviceKeyRecord(await createDeviceKey(ports, user, json)) } };
};

export const handler = lambda(operation, useCase);
