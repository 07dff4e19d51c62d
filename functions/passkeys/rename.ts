import { lambda } from '../../shared/aws/lambda.ts';
import { asBase64url } from '../../shared/domain/basis/base64.ts';
import { passkeyRecord } from '../../shared/domain/passkeys/passkey-record.ts';
import { ServiceError } from '../../shared/errors/service-error.ts';
import type { UseCase } from '../../shared/operation.ts';
import { requireReachableUser } from '../../shared/tokens/own-user.ts';
import { renamePasskey as operation } from './rows.ts';

/** Names a passkey, for the person who has several. */
export const useCase: UseCase<typeof operation> = async ({ path, json, caller, settings, audit }, ports) => {
  audit({ userId: path.userId });
  const { userId } = await requireReachableUser(ports, caller, path.userId, settings);
  const credentialId = asBase64url(path.credentialId);
  const renamed = credentialId && (await ports.passkeyRecords.rename(userId, credentialId, json.name));
  if (!renamed) throw new ServiceError('passkey_not_found');
  return { json: { result: passkeyRecord(renamed) } };
};

export const handler = lambda(operation, useCase);
