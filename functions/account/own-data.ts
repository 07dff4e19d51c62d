import { exportUser } from '../../shared/domain/users/export-user.ts';
import type { UseCase } from '../../shared/operation.ts';
import { openFreshForm } from './own-account.ts';
import type * as rows from './rows.ts';

/** Returns all data stored about the user as a JSON file (GDPR Articles 15 and 20). */
export const downloadOwnData: UseCase<typeof rows.downloadOwnData> = async (input, ports) => {
  const opened = await openFreshForm(ports, input, 'data');
  if ('answer' in opened) return opened.answer;
  const { user, context } = opened.account;
  const json = await exportUser(ports, context.tenant, user.userId, context.now);
  return { file: 'account.json', json };
};
