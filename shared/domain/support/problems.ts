import type { User } from '../../ports/people.ts';
import { isBlocked } from '../users/user-status.ts';

/**
 * Reason why a user may not receive messages or may be unable to log in, as far as the user's record shows it. The values are a
 * subset of the reasons in `message.refused` events.
 */
export type UserProblem =
  | 'user_disabled'
  | 'mail_bounced'
  | 'mail_complaint'
  | 'number_at_risk'
  | 'wrong_codes';

/**
 * Lists the problems of a user, lasting problems first. `wrong_codes` means that wrong codes were entered since the user's last
 * login.
 */
export function listProblems(user: User): readonly UserProblem[] {
  const { email, phoneNumber, wrongGuesses = [] } = user;
  const problems: UserProblem[] = [];
  if (isBlocked(user)) problems.push('user_disabled');
  if (email?.undeliverable)
    problems.push(email.undeliverable.reason === 'bounce' ? 'mail_bounced' : 'mail_complaint');
  if (phoneNumber?.risk) problems.push('number_at_risk');
  if (wrongGuesses.length > 0) problems.push('wrong_codes');
  return problems;
}

/** Filter for lists of users. A user must match all given criteria. */
interface PeopleFilter {
  readonly status?: User['status'] | undefined;
  readonly app_id?: string | undefined;
  readonly has_problem?: string | undefined;
}

/** Builds a function that returns true for users who match the filter. */
export const buildPeopleFilter =
  ({ status, app_id, has_problem }: PeopleFilter) =>
  (user: User): boolean =>
    (status === undefined || user.status === status) &&
    (app_id === undefined || user.applications.includes(app_id)) &&
    (has_problem !== 'true' || listProblems(user).length > 0);
