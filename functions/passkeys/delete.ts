import { lambda } from '../../shared/aws/lambda.ts';
import { asBase64url } from '../../shared/domain/basis/base64.ts';
import { ServiceError } from '../../shared/errors/service-error.ts';
import type { UseCase } from '../../shared/operation.ts';
import { requireReachableUser } from '../../shared/tokens/own-user.ts';
import { deletePasskey as operation } from './rows.ts';

/** Removes a passkey: it opens nothing any more, whatever its authenticator still shows. */
export const useCase: UseCase<typeof operation> = async ({ path, caller, settings, audit }, ports) => {
  audit({ userId: path.userId });
  const { userId } = await requireReachableUser(ports, caller, path.userId, settings);
  const credentialId = asBase64url(path.credentialId);
  if (!credentialId || !(await ports.passkeyRecords.remove(userId, credentialId)))
    throw new ServiceError('passkey_not_found');
  return { none: true };
};

export const handler = lambda(operation, useCase);
