import { isPrefetch } from '../../shared/domain/basis/browser.ts';
import {
  type AccountPageParameters,
  accountPageUrl,
  accountRequest,
  toAccountParameters,
} from '../../shared/domain/hosted-login/account-login.ts';
import { newLogin } from '../../shared/domain/hosted-login/login-transaction.ts';
import { requestWithoutCode } from '../../shared/domain/hosted-login/request-without-code.ts';
import type { AuthorizationRequest } from '../../shared/domain/oauth/authorization-request.ts';
import { isDocumentId } from '../../shared/domain/oauth/client-document.ts';
import {
  findNoticeLink,
  type NoticeLinkTarget,
  noticeLinkPath,
  requireUndoLink,
} from '../../shared/domain/sending/notice-link.ts';
import { canLinkUndo, findUndoableChange, isLinkDelayed } from '../../shared/domain/trust/changes.ts';
import { currentGeneration, isSuperseded } from '../../shared/domain/trust/generations.ts';
import { cancelErasure } from '../../shared/domain/users/erase-user.ts';
import { cancelRecovery, isRecoveryOpen } from '../../shared/domain/users/pending-recovery.ts';
import { cancelUndoRequest, undoChange } from '../../shared/domain/users/undo-change.ts';
import type { ErrorKey } from '../../shared/errors/catalogue.ts';
import { ServiceError } from '../../shared/errors/service-error.ts';
import { browserContext, chooseLanguage, readPageBrand } from '../../shared/flows/browser/browser-context.ts';
import { type BrowserResponse, browserCookies } from '../../shared/flows/browser/browser-response.ts';
import { loginPath } from '../../shared/flows/hosted-login/show-page.ts';
import type { AuditContext, OperationPorts, OperationRequest, UseCase } from '../../shared/operation.ts';
import type { AuditEvent } from '../../shared/ports/audit.ts';
import type { Tenant } from '../../shared/ports/directory.ts';
import type { CredentialChange, User } from '../../shared/ports/people.ts';
import type { PortsWith } from '../../shared/ports/uses.ts';
import type { Language } from '../../shared/templates/language.ts';
import {
  noticeLinkPage as askingPage,
  type NoticeLinkOutcome,
  noticeLinkDonePage,
  type RevertedChange,
} from '../../shared/templates/pages/notice-link-page.ts';
import type { Brand } from '../../shared/templates/parts/brand.ts';
import { formPageHeaders, textPageHeaders } from '../../shared/templates/parts/frame.ts';
import type * as rows from './rows.ts';

/** Valid link from a notice, with the tenant, language and brand for its pages. */
interface OpenedLink {
  readonly target: NoticeLinkTarget;
  readonly tenant: Tenant;
  readonly language: Language;
  readonly brand: Brand;
}

const OUTCOMES: Partial<Readonly<Record<ErrorKey, 'taken' | 'over'>>> = {
  identifier_taken: 'taken',
  notice_link_over: 'over',
  user_not_found: 'over',
};

/**
 * Undoes the change that a notice link refers to, and returns the outcome for the page. Rethrows errors for which the page has
 * no text.
 */
async function runUndo(
  undoes: RevertedChange,
  undo: () => Promise<readonly AuditEvent[]>,
  audit: (context: AuditContext) => void,
): Promise<NoticeLinkOutcome> {
  try {
    audit({ events: await undo() });
    return { outcome: 'done', undoes };
  } catch (error) {
    if (error instanceof ServiceError) {
      const outcome = OUTCOMES[error.key];
      if (outcome) {
        audit({ result: error.key });
        return { outcome };
      }
    }
    throw error;
  }
}

function outcomePage(
  { language, brand }: OpenedLink,
  outcome: NoticeLinkOutcome,
  accountHref?: string,
): BrowserResponse {
  const html = noticeLinkDonePage({ language, brand, ...outcome, accountHref });
  const status = outcome.outcome === 'done' ? 200 : 400;
  return { html, status, headers: textPageHeaders(brand), cookies: [] };
}

type Input = Pick<OperationRequest<typeof rows.noticeLinkPage>, 'query' | 'request' | 'audit'>;
type ActInput = OperationRequest<typeof rows.openNoticeLink>;
type ActPorts = OperationPorts<typeof rows.openNoticeLink>;

/**
 * Finds the change that a notice link undoes. Returns undefined for an unknown or expired link, or if the tenant was deleted.
 */
async function openLink(
  ports: PortsWith<'noticeLinks.find' | 'applications' | 'tenants'>,
  { query, request, audit }: Input,
): Promise<OpenedLink | undefined> {
  const target = await findNoticeLink(ports, query.link, request.now);
  const tenant = target && (await ports.tenants.find(target.tenantId));
  if (!target || !tenant) return undefined;
  const { applicationId, tenantId, userId } = target;
  audit({ userId, tenantId, ...(applicationId === undefined ? {} : { applicationId }) });
  const application = applicationId === undefined ? undefined : await ports.applications.find(applicationId);
  const brand = application ? readPageBrand(application) : { name: tenant.name };
  return { target, tenant, language: chooseLanguage(request), brand };
}

/** Returns true if the change that a notice reports can still be undone with the notice's link. */
const canStillUndo = (user: User, { undoes }: NoticeLinkTarget, now: number): boolean => {
  switch (undoes.kind) {
    case 'address':
    case 'change':
      return findUndoableChange(user, undoes.changeId, now) !== undefined;
    case 'erasure':
      return user.erasure?.erasureId === undoes.erasureId && !user.erasure.hasBegun;
    case 'reclaimed':
      return currentGeneration(user) === undoes.generation && !!user.email && isSuperseded(user, user.email);
    case 'recovery':
      return 'changeId' in undoes
        ? user.changes.some((change) => change.changeId === undoes.changeId && isLinkDelayed(change))
        : isRecoveryOpen(user.recovery, now) && user.recovery.since === undoes.since;
  }
};

/**
 * Shows the page that asks for confirmation before a notice link undoes a change. Mail scanners open links, so opening must
 * change nothing.
 */
export const noticeLinkPage: UseCase<typeof rows.noticeLinkPage> = async (input, ports) => {
  const { query, request } = input;
  if (isPrefetch(request.headers)) return { none: true };
  const link = await openLink(ports, input);
  if (!link) throw new ServiceError('link_not_found');
  if (request.method === 'HEAD') return { none: true, status: 200 };
  const { target, language, brand } = link;
  const user = await ports.users.find(target.userId);
  if (!user || !canStillUndo(user, target, request.now)) return outcomePage(link, { outcome: 'over' });
  return {
    html: askingPage({ language, brand, undoes: target.undoes.kind, action: noticeLinkPath(query.link) }),
    headers: formPageHeaders(brand),
  };
};

/**
 * Returns the authorization request of the login that a notice link requires. Returns undefined if the link may undo the change
 * without a login.
 */
function loginFor(
  { target: { undoes, userId, provenFor }, language }: OpenedLink,
  user: User,
  { query, request, settings }: Pick<ActInput, 'query' | 'request' | 'settings'>,
  place: AccountPageParameters,
): AuthorizationRequest | undefined {
  const { client_id: clientId } = place;
  const page = accountPageUrl(settings.browserOrigin, place);
  if (undoes.kind === 'reclaimed') {
    const asked = accountRequest(clientId, page, {
      account: { login: 'session' },
      expectedUserId: userId,
      uiLocales: language,
    });
    return { ...asked, ...(user.email && { loginHint: user.email.value }) };
  }
  if (provenFor !== undefined || (undoes.kind !== 'address' && undoes.kind !== 'change')) return undefined;
  const { changeId, kind } = undoes;
  const change = findUndoableChange(user, changeId, request.now);
  if (!change || canLinkUndo(change, request.now)) return undefined;
  // The login must use factors that were valid before the change, because an attacker may have added other factors with the
  // change.
  const before = { generations: { ...user.generations, valid: change.validBefore } };
  const undo = { userId, changeId, kind, link: query.link, generation: currentGeneration(before) };
  return { ...requestWithoutCode(clientId, page), uiLocales: language, expectedUserId: userId, undo };
}

/** Starts the login that a notice link requires and redirects to it. Returns undefined if the link requires no login. */
async function leadToLogin(
  ports: ActPorts,
  link: OpenedLink,
  user: User,
  input: ActInput,
): Promise<BrowserResponse | undefined> {
  const { clientId = '', applicationId } = link.target;
  const { settings, request } = input;
  const place = toAccountParameters({ clientId, applicationId });
  const asked = loginFor(link, user, input, place);
  if (!asked) return undefined;
  const clientExists = isDocumentId(clientId) || (await ports.clients.find(clientId)) !== undefined;
  if (!clientExists) return outcomePage(link, { outcome: 'over' });
  const context = await browserContext(ports, place, request, settings);
  const { loginId, transaction } = newLogin(context, asked);
  await ports.loginTransactions.put(transaction);
  return { redirect: `${settings.browserOrigin}${loginPath(loginId)}`, cookies: browserCookies(context) };
}

/** Undoes the change that a notice link refers to and returns the audit events. Throws `notice_link_over` if it is too late. */
async function undoTarget(
  ports: ActPorts,
  { target: { userId, undoes, provenFor: link }, tenant }: OpenedLink,
  now: number,
): Promise<readonly AuditEvent[]> {
  switch (undoes.kind) {
    case 'address':
    case 'change': {
      const { changeId } = undoes;
      if (link !== undefined) await requireUndoLink(ports, { link, userId, changeId }, now);
      // With `provenFor`, the user has logged in with a factor, so the proof is more than access to the mailbox of the notice.
      const isEnough = (change: CredentialChange) => link !== undefined || canLinkUndo(change, now);
      return undoChange(ports, tenant, { userId, changeId, isEnough }, now);
    }
    case 'erasure':
      if (!(await cancelErasure(ports, { tenantId: tenant.tenantId, userId }, now, undoes.erasureId)))
        throw new ServiceError('notice_link_over');
      return ['user.erasure_cancelled'];
    case 'recovery':
      if ('changeId' in undoes) await cancelUndoRequest(ports, tenant, userId, undoes.changeId);
      else await cancelRecovery(ports, { tenantId: tenant.tenantId, userId }, now, undoes.since);
      return ['user.recovery_cancelled'];
    case 'reclaimed':
      throw new ServiceError('notice_link_over');
  }
}

/** Returns the URL of the account page of the client that a notice link names. Undefined if the link names no client. */
function findAccountPage(
  { target: { clientId, applicationId } }: OpenedLink,
  { browserOrigin }: Pick<ActInput['settings'], 'browserOrigin'>,
): string | undefined {
  return clientId && accountPageUrl(browserOrigin, toAccountParameters({ clientId, applicationId }));
}

/** Undoes the change that a notice reported. No CSRF token is needed: the secret in the URL proves access to the mailbox. */
export const openNoticeLink: UseCase<typeof rows.openNoticeLink> = async (input, ports) => {
  const { request, audit, settings } = input;
  const link = await openLink(ports, input);
  if (!link) throw new ServiceError('link_not_found');
  const { undoes } = link.target;
  const user = await ports.users.find(link.target.userId);
  const redirectToLogin =
    user && canStillUndo(user, link.target, request.now) && (await leadToLogin(ports, link, user, input));
  if (redirectToLogin) return redirectToLogin;
  const said = undoes.kind === 'reclaimed' ? 'change' : undoes.kind;
  const outcome = await runUndo(said, () => undoTarget(ports, link, request.now), audit);
  return outcomePage(link, outcome, findAccountPage(link, settings));
};
