// Recovery during a hosted login, for users who cannot present the second factor. Its rules are in
// domain/users/pending-recovery.

import { saveProgress } from '../../shared/domain/hosted-login/login-transaction.ts';
import { extendNoticeLink, requireUndoLink } from '../../shared/domain/sending/notice-link.ts';
import {
  ANY_APPLICATION,
  findAccountFactorTypes,
  isRecoveryInEffect,
  listProvenFactorTypes,
  needsAnotherFactor,
} from '../../shared/domain/trust/factor-types.ts';
import type { PrivilegePorts } from '../../shared/domain/trust/privileged-user.ts';
import { beginRecovery, cancelRecovery } from '../../shared/domain/users/pending-recovery.ts';
import { requestUndo } from '../../shared/domain/users/undo-change.ts';
import { ServiceError } from '../../shared/errors/service-error.ts';
import type { BrowserResponse } from '../../shared/flows/browser/browser-response.ts';
import type { LoginContext } from '../../shared/flows/hosted-login/login-context.ts';
import {
  type CurrentState,
  deriveCurrentState,
  type StatePorts,
} from '../../shared/flows/hosted-login/login-state.ts';
import { redirectToPage, showState } from '../../shared/flows/hosted-login/show-page.ts';
import type { AuditContext } from '../../shared/operation.ts';
import type { MethodUse } from '../../shared/ports/flows.ts';
import type { User } from '../../shared/ports/people.ts';
import type { PortsWith } from '../../shared/ports/uses.ts';

/**
 * Returns true if the user needs another factor in addition to those used in this login. An attacker may have the factors of
 * such a login, so the user cannot request a recovery in it.
 */
const isInsufficient = ({ login }: LoginContext, earlier: readonly MethodUse[]) =>
  needsAnotherFactor([...earlier, ...login.progress.proven]);

/** Redirects to the page about recovery or, if a recovery has taken effect, to the page that adds a new factor. */
export async function askForRecovery(
  ports: StatePorts & PortsWith<'loginTransactions.advance'>,
  context: LoginContext,
): Promise<BrowserResponse> {
  const { state, user, earlier } = await deriveCurrentState(ports, context);
  const mayReplace = isRecoveryInEffect(user?.recovery, context.now) && !isInsufficient(context, earlier);
  if (state.kind !== 'second-factor' || !mayReplace) return redirectToPage(context, { lost: 'asked' });
  const { offered: _, ...progress } = context.login.progress;
  await saveProgress(ports, context, { ...progress, recovering: true });
  return redirectToPage(context);
}

/** Cancels the user's pending recovery. Returns false if the recovery has ended meanwhile. */
export async function tryCancelRecovery(
  ports: PortsWith<'userRecords.find' | 'userRecords.replace'>,
  { tenant, now }: LoginContext,
  userId: string,
  since: number,
): Promise<boolean> {
  try {
    await cancelRecovery(ports, { tenantId: tenant.tenantId, userId }, now, since);
    return true;
  } catch (error) {
    if (error instanceof ServiceError && error.key === 'notice_link_over') return false;
    throw error;
  }
}

type BeginPorts = StatePorts &
  PrivilegePorts &
  PortsWith<
    | 'userRecords.find'
    | 'userRecords.replace'
    | 'windows.count'
    | 'noticeLinks.find'
    | 'noticeLinks.extend'
    | 'loginTransactions.advance'
  >;

/**
 * If this login was started to undo a change, requests the undo. Otherwise requests a recovery of the factor types that the
 * login lacks.
 */
async function begin(
  ports: BeginPorts,
  { login, tenant, settings, now }: LoginContext,
  { user, earlier, binding }: CurrentState & { readonly user: User },
  audit: (context: AuditContext) => void,
): Promise<void> {
  const who = { tenant, userId: user.userId };
  const { undo } = login.request;
  if (undo) {
    await requireUndoLink(ports, undo, now);
    const { until, isNew } = await requestUndo(ports, settings, { ...who, changeId: undo.changeId }, now);
    await extendNoticeLink(ports, undo.link, until);
    if (isNew) audit({ events: ['user.undo_requested'] });
    return;
  }
  const given = listProvenFactorTypes([...earlier, ...login.progress.proven]);
  const { required } = findAccountFactorTypes(
    { user, passkeys: binding?.passkeys ?? [] },
    ANY_APPLICATION,
    now,
  );
  const missing = [...required].filter((kind) => !given.has(kind));
  const { isNew } = await beginRecovery(ports, settings, { ...who, kinds: missing }, now);
  if (isNew) audit({ events: ['user.recovery_requested'] });
}

/** Requests a recovery and redirects to the page that says when it takes effect. Shows an error if the request is rejected. */
export async function requestRecovery(
  ports: BeginPorts,
  context: LoginContext,
  audit: (context: AuditContext) => void,
): Promise<BrowserResponse> {
  const current = await deriveCurrentState(ports, context);
  const { state, user, earlier } = current;
  if (state.kind !== 'second-factor' || !user || isInsufficient(context, earlier))
    return redirectToPage(context);
  audit({ userId: user.userId });
  try {
    await begin(ports, context, { ...current, user }, audit);
    await saveProgress(ports, context, { ...context.login.progress, heard: true });
    return redirectToPage(context, { lost: 'asked' });
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    audit({ result: error.key });
    if (error.key === 'recovery_impossible') return redirectToPage(context, { lost: 'impossible' });
    if (error.key !== 'rate_limited') throw error;
    const retryAfterSeconds = error.detail.retryAfterSeconds ?? 0;
    return showState(context, state, { error: { key: 'rate_limited', retryAfterSeconds } });
  }
}
