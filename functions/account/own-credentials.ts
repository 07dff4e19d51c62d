import { toBase64url } from '../../shared/domain/basis/base64.ts';
import { findProvidersOfAccount } from '../../shared/domain/credentials/login-preferences.ts';
import { identityName } from '../../shared/domain/trust/names.ts';
import type { UseCase } from '../../shared/operation.ts';
import { addToAccount, changeAccount, changeCredentials, toRemovalContext } from './own-account.ts';
import { removePasskey, toRemovalResults, unlinkIdentity } from './remove-credential.ts';
import type * as rows from './rows.ts';

/** Redirects to the hosted login page where the user creates a passkey. */
export const addOwnPasskey: UseCase<typeof rows.addOwnPasskey> = (input, ports) =>
  addToAccount(ports, input, 'passkeys', 'passkey');

/** Renames a passkey of the user on the account page. */
export const nameOwnPasskey: UseCase<typeof rows.nameOwnPasskey> = (input, ports) =>
  changeAccount(ports, input, {
    part: 'passkeys',
    says: 'saved',
    apply: async ({ user: { userId } }) => {
      const { item = '', name } = input.form;
      const credentialId = toBase64url(item);
      if (credentialId) await ports.passkeyRecords.rename(userId, credentialId, name);
      return undefined;
    },
  });

/** Removes a passkey of the user, unless that passkey is the user's only way to log in. */
export const removeOwnPasskey: UseCase<typeof rows.removeOwnPasskey> = (input, ports) =>
  changeCredentials(ports, input, {
    part: 'passkeys',
    says: 'passkey.removed',
    apply: async (account) => {
      const { item = '' } = input.form;
      const outcome = await removePasskey(ports, toRemovalContext(account), item);
      return toRemovalResults('passkey.removed')[outcome];
    },
  });

/** Redirects to the hosted login page where the user links an account at a social provider. */
export const addOwnIdentity: UseCase<typeof rows.addOwnIdentity> = (input, ports) =>
  addToAccount(ports, input, 'identities', input.form.item);

/** Removes a device key of the user. The device can then no longer sign approvals. */
export const removeOwnDeviceKey: UseCase<typeof rows.removeOwnDeviceKey> = (input, ports) =>
  changeCredentials(ports, input, {
    part: 'device-keys',
    says: 'device_key.removed',
    apply: async ({ user: { userId } }) => {
      const isRemoved = await ports.deviceKeys.remove(userId, input.form.item ?? '');
      return isRemoved ? { events: ['device_key.removed'] } : undefined;
    },
  });

/** Unlinks the user's account at a social provider, unless that account is the user's only way to log in. */
export const removeOwnIdentity: UseCase<typeof rows.removeOwnIdentity> = (input, ports) =>
  changeCredentials(ports, input, {
    part: 'identities',
    says: 'identity.removed',
    apply: async (account) => {
      const { item = '' } = input.form;
      const identity = account.user.identities.find((each) => identityName(each) === item);
      if (identity) {
        const [provider = identity.provider] = findProvidersOfAccount(account.context.application, identity);
        input.audit({ provider });
      }
      const outcome = await unlinkIdentity(ports, toRemovalContext(account), item);
      return toRemovalResults('identity.removed')[outcome];
    },
  });
