import type { OpenRegistration } from '../../shared/domain/passkeys/passkey-registration.ts';
import type { Passkey, User } from '../../shared/ports/people.ts';

/** What is told of a new passkey. */
export function registered({ credentialId }: Passkey, { challenge }: OpenRegistration, user: User) {
  return {
    credential_id: credentialId,
    user_id: user.userId,
    user_identifier: challenge.userName ?? user.userId,
    external_user_id: user.externalUserId,
  };
}
