import type { UseCase } from '../../shared/operation.ts';
import { addToAccount, changeCredentials, removalOf } from './own-account.ts';
import { removeAddress } from './remove-credential.ts';
import type * as rows from './rows.ts';

/** Leads to the page of the hosted login that takes another email address and proves it. */
export const changeOwnEmail: UseCase<typeof rows.changeOwnEmail> = (input, ports) =>
  addToAccount(ports, input, 'details', 'email');

/** Leads to the page of the hosted login that takes another phone number and proves it. */
export const changeOwnPhone: UseCase<typeof rows.changeOwnPhone> = (input, ports) =>
  addToAccount(ports, input, 'details', 'phone');

const EVENTS = { email: 'user.email_changed', phone: 'user.phone_changed' } as const;

/** Removes the email address or the number of the person, with nothing in its place. */
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
