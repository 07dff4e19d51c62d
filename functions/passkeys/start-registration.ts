import { lambda } from '../../shared/aws/lambda.ts';
import { requireUser } from '../../shared/domain/identifiers/find-user.ts';
import { startRegistration } from '../../shared/domain/passkeys/passkey-registration.ts';
import { relyingPartyOf } from '../../shared/domain/passkeys/relying-party.ts';
import { requireActive } from '../../shared/domain/users/user-status.ts';
import { ServiceError } from '../../shared/errors/service-error.ts';
import type { InputOf, PortsOf, UseCase } from '../../shared/operation.ts';
import type { User } from '../../shared/ports/people.ts';
import { requireOwnUser } from '../../shared/tokens/own-user.ts';
import { placeOf } from './place.ts';
import { startPasskeyRegistration as operation } from './rows.ts';

type Input = InputOf<typeof operation>;

/** With a user's token the user is its own; a client names a user of its tenant. */
async function userToRegister(
  { json, caller, settings }: Input,
  ports: PortsOf<typeof operation>,
): Promise<User> {
  if (caller.kind === 'user') {
    const user = await requireOwnUser(ports, caller, settings);
    if (json.user_id !== undefined && json.user_id !== user.userId) throw new ServiceError('user_not_found');
    return user;
  }
  if (json.user_id === undefined)
    throw new ServiceError('system_invalid_input', { message: 'user_id: is required' });
  return requireActive(await requireUser(ports.users, caller.tenant, json.user_id));
}

/** Opens the registration of a passkey: options for the authenticator, with a challenge that counts once. */
export const useCase: UseCase<typeof operation> = async (input, ports) => {
  const { json, caller, settings, audit, allowOrigins } = input;
  const { tenant, application } = caller.kind === 'user' ? await placeOf(ports, caller) : caller;
  const relyingParty = relyingPartyOf(application, settings);
  allowOrigins(relyingParty.origins);
  const user = await userToRegister(input, ports);
  audit({ userId: user.userId });
  return { json: await startRegistration(ports, { tenant, application, relyingParty }, user, json) };
};

export const handler = lambda(operation, useCase);
