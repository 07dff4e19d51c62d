import type { UseCase } from '../../shared/operation.ts';
import { addToAccount, changeCredentials, removalOf } from './own-account.ts';
import { removeAddress } from './remove-credential.ts';
import type * as rows from './rows.ts';

/** Redirects to the hosted login page where the user enters and verifies a new email address. */
export const changeOwnEmail: UseCase<typeof rows.changeOwnEmail> = (input, ports) =>
  addToAccount(ports, input, 'details', 'email');

/** Redirects to the hosted login page where the user enters and verifies a new phone number. */
export const changeOwnPhone: UseCase<typeof rows.changeOwnPhone> = (input, ports) =>
  addToAccount(ports, input, 'details', 'phone');

const EVENTS = { email: 'user.email_changed', phone: 'user.phone_changed' } as const;

/** Removes the user's email address or phone number without a replacement. */
export const removeOwnAddress: UseCase<typeof rows.removeOwnAddress> = (input, ports) =>
  changeCredentials(ports, input, {
    part: 'details',
    says: `${input.form.item}_removed`,
    apply: async (account) => {
      const kind = input.form.item;
      const tell = () => input.audit({ events: [EVENTS[kind]] });
      const { sessionId: ownSessionId } = account.session;
      const outcome = await removeAddress(ports, removalOf(account), kind, { ownSessionId, tell });
      return outcome === 'last' ? outcome : undefined;
    },
  });
