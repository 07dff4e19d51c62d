import { isPrefetch } from '../../shared/domain/basis/browser.ts';
import { ERASURE_DELAY_SECONDS } from '../../shared/domain/basis/limits.ts';
import { addParameters } from '../../shared/domain/basis/redirect-uri.ts';
import { maySend } from '../../shared/domain/identifiers/may-send.ts';
import { noticeDeliveries } from '../../shared/domain/sending/notice.ts';
import { requestErasure } from '../../shared/domain/users/erase-user.ts';
import type { BrowserContext } from '../../shared/flows/browser/browser-context.ts';
import { type BrowserResponse, browserCookies } from '../../shared/flows/browser/browser-response.ts';
import type { UseCase } from '../../shared/operation.ts';
import { channels } from '../../shared/records/channels.ts';
import { masks } from '../../shared/templates/mask.ts';
import {
  accountDeletedPage,
  deleteAccountPage,
  type NoticeRecipient,
} from '../../shared/templates/pages/delete-account-page.ts';
import { formPageHeaders, textPageHeaders } from '../../shared/templates/parts/frame.ts';
import {
  type Account,
  accountCsrf,
  accountUrl,
  formAction,
  hasBindingProofs,
  leadToLogin,
  openAccount,
  openBindingForm,
} from './own-account.ts';
import type * as rows from './rows.ts';

/** Lists the masked addresses that will receive the deletion notice with its cancellation link. */
const noticeRecipients = ({
  user,
  context: { application, settings, now },
}: Account): readonly NoticeRecipient[] =>
  noticeDeliveries(application, user, 'erasure_requested', now)
    .filter(({ channel, to }) => maySend(settings, channel, to))
    .map(({ channel, to }) => ({ channel, to: masks[channels[channel].address](to) }));

function toAccount(context: BrowserContext, error?: string): BrowserResponse {
  const url = accountUrl(context);
  const redirect = error === undefined ? url : addParameters(url, { error });
  return { redirect, cookies: browserCookies(context) };
}

/**
 * Shows the deletion page, which says what a deletion does and when. Requires a login first. Opening the page changes nothing.
 */
export const accountDeletionPage: UseCase<typeof rows.accountDeletionPage> = async (input, ports) => {
  const { query, request } = input;
  if (isPrefetch(request.headers)) return { none: true };
  if (request.method === 'HEAD') return { none: true, status: 200 };
  const opened = await openAccount(ports, input);
  const { account, context } = opened;
  const { tenant, language, brand, now } = context;
  if (!tenant.accountDeletion || query.error !== undefined) return toAccount(context, query.error);
  if (!account || !(await hasBindingProofs(ports)(account)))
    return leadToLogin(ports, opened, { login: 'binding' }, 'deletion');
  const html = deleteAccountPage({
    language,
    brand,
    tenantName: tenant.name,
    csrf: accountCsrf(account),
    effectiveAt: now + ERASURE_DELAY_SECONDS,
    noticeRecipients: noticeRecipients(account),
    action: formAction(context, 'deletion'),
    accountHref: accountUrl(context),
    isExpired: query.result === 'expired',
  });
  return { html, headers: formPageHeaders(brand), cookies: browserCookies(context) };
};

/** Closes the user's account immediately and schedules its erasure. Until the erasure, the user can cancel the deletion. */
export const deleteOwnAccount: UseCase<typeof rows.deleteOwnAccount> = async (input, ports) => {
  const form = await openBindingForm(ports, input, 'deletion');
  if ('answer' in form) return form.answer;
  const { account } = form;
  const { tenant, language, brand, now } = account.context;
  if (!tenant.accountDeletion) return toAccount(account.context);
  const notify = () => input.audit({ events: ['user.erasure_requested'] });
  const { erasure } = await requestErasure(ports, account.user, now, notify);
  const { effectiveAt } = erasure;
  const html = accountDeletedPage({
    language,
    brand,
    effectiveAt,
    noticeRecipients: noticeRecipients(account),
  });
  return { html, headers: textPageHeaders(brand), cookies: browserCookies(account.context) };
};
