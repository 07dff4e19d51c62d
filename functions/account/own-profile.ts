import { TENANT_WIDE } from '../../shared/domain/trust/generations.ts';
import { changeUser, createReplaceAttempt } from '../../shared/domain/users/change-user.ts';
import { applyUserFields } from '../../shared/domain/users/user-record.ts';
import type { UseCase } from '../../shared/operation.ts';
import { changeAccount } from './own-account.ts';
import type * as rows from './rows.ts';

/** Changes the user's name and the language of their mails and pages. */
export const changeOwnProfile: UseCase<typeof rows.changeOwnProfile> = (input, ports) =>
  changeAccount(ports, input, {
    part: 'details',
    says: 'saved',
    apply: async ({ user, context: { now } }) => {
      const { first_name, last_name, language } = input.form;
      const given = (text: string | undefined) => text?.trim() || null;
      const name = { first_name: given(first_name), last_name: given(last_name) };
      const fields = { name, language: given(language) };
      const change = createReplaceAttempt(ports, (current) =>
        applyUserFields(current, fields, now, { how: 'backend', scope: TENANT_WIDE }),
      );
      await changeUser(ports, user, change);
      return { events: ['user.updated'] };
    },
  });
