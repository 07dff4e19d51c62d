import { awaitAll } from '../../domain/basis/await-all.ts';
import { mailboxProof, secondAtAfter } from '../../domain/credentials/fresh-login.ts';
import { countsInTenant, provenAtOf } from '../../domain/credentials/good-at.ts';
import { openAddress, saveProgress } from '../../domain/hosted-login/login-transaction.ts';
import { awakeAs, isAllAsleep, wokenBy } from '../../domain/identifiers/sleep.ts';
import { linkIdentity, type ProvenIdentity } from '../../domain/social/upstream-identity.ts';
import type { ReplacePorts } from '../../domain/users/update-user.ts';
import { markVerified } from '../../domain/users/verified-address.ts';
import { wakeOfUser } from '../../domain/users/wake.ts';
import { ServiceError } from '../../errors/service-error.ts';
import type { AuditContext } from '../../operation.ts';
import type { User } from '../../ports/people.ts';
import type { Using } from '../../ports/uses.ts';
import { type BrowserAnswer, returnErrorToClient } from '../browser/browser-answer.ts';
import { endLogin, type FinishPorts, finishEnrolment, finishLogin } from './finish.ts';
import type { LoginContext } from './login-context.ts';
import { type CurrentState, currentState, type StatePorts } from './login-state.ts';
import { redirectToPage } from './show-page.ts';

export type AdvancePorts = FinishPorts &
  StatePorts &
  ReplacePorts &
  WakePorts &
  Using<'loginTransactions.advance'>;

type WakePorts = Using<'userRecords.find' | 'userRecords.replace' | 'passkeys.wake'>;

type Audit = (context: AuditContext) => void;

/** Ends the login and returns the error to the client. Errors: `login_not_found`. */
export async function abortLogin(
  ports: AdvancePorts,
  context: LoginContext,
  error: unknown,
  audit: Audit,
): Promise<BrowserAnswer> {
  const answer = returnErrorToClient(error, context.login.request, context, audit);
  await endLogin(ports, context);
  return answer;
}

/** Links the account at the provider that the login began with, and goes on. */
async function linkAccount(
  ports: AdvancePorts,
  context: LoginContext,
  { user, binding }: CurrentState,
  audit: Audit,
): Promise<BrowserAnswer> {
  const { tenant, browser, login, now } = context;
  const { sealedLink = '', ...progress } = login.progress;
  if (!user || !binding) return abortLogin(ports, context, new ServiceError('access_denied'), audit);
  const { identity, ...rest } = JSON.parse(openAddress(browser, sealedLink)) as ProvenIdentity;
  const mark = secondAtAfter({ ...binding, proofs: [...binding.proofs, mailboxProof(now)] });
  try {
    await linkIdentity(ports, tenant, user, { ...rest, identity: { ...identity, ...mark } }, now);
  } catch (error) {
    return abortLogin(
      ports,
      context,
      error instanceof ServiceError ? new ServiceError('access_denied', { cause: error }) : error,
      audit,
    );
  }
  audit({ userId: user.userId, events: ['identity.added'] });
  const next = await saveProgress(ports, context, progress);
  return next ? advance(ports, { ...context, login: next }, audit) : redirectToPage(context);
}

const nothing = async () => undefined;

interface Woken extends Pick<LoginContext, 'login'>, Pick<CurrentState, 'earlier'> {
  /** Stores it. */
  readonly wake: () => Promise<unknown>;
}

/** Wakes and confirms what was proven beside something else. From then on these proofs count like any other. */
function wakeProven(
  ports: WakePorts,
  { login, tenant }: LoginContext,
  { earlier, binding, confirms }: CurrentState,
  user: User,
): Woken {
  const all = [...earlier, ...login.progress.proven];
  const names = wokenBy(all);
  const isLimited = all.some(({ secondAt }) => secondAt !== undefined);
  if (!binding || (names.length === 0 && !isLimited)) return { login, earlier, wake: nothing };
  const { userId, asleepBefore = 0 } = user;
  const wake = () =>
    awaitAll(
      wakeOfUser(ports, tenant, user, names, confirms),
      ...names.map((name) => ports.passkeys.wake(userId, name, asleepBefore)),
    );
  const progress = { ...login.progress, proven: binding.proofs };
  return { login: { ...login, progress }, earlier: [], wake };
}

/**
 * Takes a login on after a proof: `done` ends with a code, `denied` with an error, any other state with its page. `known` is
 * its state with that proof.
 */
export async function advance(
  ports: AdvancePorts,
  context: LoginContext,
  audit: Audit,
  known?: CurrentState,
): Promise<BrowserAnswer> {
  const current = known ?? (await currentState(ports, context));
  const { state, user } = current;
  if (state.kind === 'link') return linkAccount(ports, context, current, audit);
  if (state.kind === 'done' && context.login.request.enrolment) return finishEnrolment(ports, context);
  const { login, earlier, wake } = user
    ? wakeProven(ports, context, current, user)
    : { ...context, ...current, wake: nothing };
  if (state.kind === 'done') {
    const [answer] = await awaitAll(finishLogin(ports, { ...context, login }, earlier, audit), wake());
    return answer;
  }
  await wake();
  if (state.kind === 'denied')
    return abortLogin(ports, context, new ServiceError('access_denied', { message: state.reason }), audit);
  // The code at the end names only the last address.
  const { deliveredToHash, proven, wokenAt } = login.progress;
  const limit = proven.some(countsInTenant) ? {} : provenAtOf(proven.at(-1));
  const awake = { ...(isAllAsleep([...earlier, ...proven]) ? {} : awakeAs(wokenAt)), ...limit };
  if (user) await markVerified(ports, context.tenant, user, deliveredToHash, awake);
  return redirectToPage(context);
}
