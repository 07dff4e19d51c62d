import type { UseCase } from '../../shared/operation.ts';
import { addToAccount } from './own-account.ts';
import type * as rows from './rows.ts';

/** Leads to the page of the hosted login that takes another email address and proves it. */
export const changeOwnEmail: UseCase<typeof rows.changeOwnEmail> = (input, ports) =>
  addToAccount(ports, input, 'details', 'email');

/** The same for a phone number. */
export const changeOwnPhone: UseCase<typeof rows.changeOwnPhone> = (input, ports) =>
  addToAccount(ports, input, 'details', 'phone');
