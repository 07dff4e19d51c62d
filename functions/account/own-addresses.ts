import type { UseCase } from '../../shared/operation.ts';
import { typeOfItem } from '../../shared/records/channels.ts';
import { addToAccount, changeCredentials, toRemovalContext } from './own-account.ts';
import { removeAddress } from './remove-credential.ts';
import type * as rows from './rows.ts';

/** Redirects to the hosted login page where the user enters and verifies a new email address. */
export const changeOwnEmail: UseCase<typeof rows.changeOwnEmail> = (input, ports) =>
  addToAccount(ports, input, 'addresses', 'email');

/** Redirects to the hosted login page where the user enters and verifies a new phone number. */
export const changeOwnPhone: UseCase<typeof rows.changeOwnPhone> = (input, ports) =>
  addToAccount(ports, input, 'addresses', 'phone');

/** Removes the user's email address or phone number without a replacement. */
export const removeOwnAddress: UseCase<typeof rows.removeOwnAddress> = (input, ports) =>
  changeCredentials(ports, input, {
    part: 'addresses',
    says: `${input.form.item}_removed`,
    apply: async (account) => {
      const { item } = input.form;
      const notify = () => input.audit({ events: [`user.${item}_changed`] });
      const { sessionId: ownSessionId } = account.session;
      const outcome = await removeAddress(ports, toRemovalContext(account), typeOfItem(item), {
        ownSessionId,
        notify,
      });
      return outcome === 'last' ? outcome : undefined;
    },
  });
