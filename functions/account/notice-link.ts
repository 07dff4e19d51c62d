import { isPrefetch } from '../../shared/domain/basis/prefetch.ts';
import {
  findNoticeLink,
  type NoticeLinkTarget,
  noticeLinkPath,
} from '../../shared/domain/sending/notice-link.ts';
import { isUndoneByLink, undoableChange } from '../../shared/domain/trust/changes.ts';
import { cancelErasure } from '../../shared/domain/users/erase-user.ts';
import { undoChange } from '../../shared/domain/users/undo-change.ts';
import { endWait, isOpen } from '../../shared/domain/users/wait.ts';
import type { ErrorKey } from '../../shared/errors/catalogue.ts';
import { ServiceError } from '../../shared/errors/service-error.ts';
import { brandOf, languageOf } from '../../shared/flows/browser/browser-context.ts';
import type { InputOf, PortsOf, UseCase } from '../../shared/operation.ts';
import type { AuditEvent } from '../../shared/ports/audit.ts';
import type { Tenant } from '../../shared/ports/directory.ts';
import type { Change, User } from '../../shared/ports/people.ts';
import type { Using } from '../../shared/ports/uses.ts';
import type { Language } from '../../shared/templates/language.ts';
import {
  noticeLinkPage as askingPage,
  noticeLinkDonePage,
} from '../../shared/templates/pages/notice-link-page.ts';
import type { Brand } from '../../shared/templates/parts/brand.ts';
import { formPageHeaders, textPageHeaders } from '../../shared/templates/parts/frame.ts';
import type * as rows from './rows.ts';

interface OpenedLink {
  readonly target: NoticeLinkTarget;
  readonly tenant: Tenant;
  readonly language: Language;
  readonly brand: Brand;
}

type Input = Pick<InputOf<typeof rows.noticeLinkPage>, 'query' | 'request' | 'audit'>;

async function openLink(
  ports: Using<'noticeLinks.find' | 'applications' | 'tenants'>,
  { query, request, audit }: Input,
): Promise<OpenedLink | undefined> {
  const target = await findNoticeLink(ports, query.link, request.now);
  const tenant = target && (await ports.tenants.find(target.tenantId));
  if (!target || !tenant) return undefined;
  const { applicationId, tenantId, userId } = target;
  audit({ userId, tenantId, ...(applicationId === undefined ? {} : { applicationId }) });
  const application = applicationId === undefined ? undefined : await ports.applications.find(applicationId);
  const brand = application ? brandOf(application) : { name: tenant.name };
  return { target, tenant, language: languageOf(request), brand };
}

function donePage({ target, language, brand }: OpenedLink, outcome: 'done' | 'taken' | 'over') {
  const html = noticeLinkDonePage({ language, brand, undoes: target.undoes.kind, outcome });
  const status = outcome === 'done' ? 200 : 400;
  return { html, status, headers: textPageHeaders(brand) } as const;
}

function isUndoable(user: User, { undoes }: NoticeLinkTarget, now: number): boolean {
  if (undoes.kind === 'address') return undoableChange(user, undoes.changeId, now) !== undefined;
  if (undoes.kind === 'erasure')
    return user.erasure?.erasureId === undoes.erasureId && !user.erasure.hasBegun;
  return isOpen(user.wait, now) && user.wait.since === undoes.since;
}

/** Opening the link changes nothing: mail scanners open links. */
export const noticeLinkPage: UseCase<typeof rows.noticeLinkPage> = async (input, ports) => {
  const { query, request } = input;
  if (isPrefetch(request.headers)) return { none: true };
  const link = await openLink(ports, input);
  if (!link) throw new ServiceError('link_not_found');
  if (request.method === 'HEAD') return { none: true, status: 200 };
  const { target, language, brand } = link;
  const user = await ports.users.find(target.userId);
  if (!user || !isUndoable(user, target, request.now)) return donePage(link, 'over');
  return {
    html: askingPage({ language, brand, undoes: target.undoes.kind, action: noticeLinkPath(query.link) }),
    headers: formPageHeaders({ brand, leadsTo: [] }),
  };
};

const OUTCOMES: Partial<Readonly<Record<ErrorKey, 'taken' | 'over'>>> = {
  identifier_taken: 'taken',
  notice_link_over: 'over',
  user_not_found: 'over',
};

/** The events that tell of it. */
async function undo(
  ports: PortsOf<typeof rows.openNoticeLink>,
  { target: { userId, undoes }, tenant }: OpenedLink,
  now: number,
): Promise<readonly AuditEvent[]> {
  if (undoes.kind === 'address') {
    const check = (change: Change) => {
      if (!isUndoneByLink(change, now)) throw new ServiceError('notice_link_over');
    };
    const { hadErasure } = await undoChange(ports, tenant, userId, undoes.changeId, check, now);
    return ['user.email_restored', ...(hadErasure ? (['user.erasure_cancelled'] as const) : [])];
  }
  if (undoes.kind === 'erasure') {
    if (!(await cancelErasure(ports, tenant, userId, now, undoes.erasureId)))
      throw new ServiceError('notice_link_over');
    return ['user.erasure_cancelled'];
  }
  await endWait(ports, tenant, userId, now, undoes.since);
  return ['user.recovery_cancelled'];
}

/** The secret in the address is the proof that the person has opened the mail; no other site knows it. */
export const openNoticeLink: UseCase<typeof rows.openNoticeLink> = async (input, ports) => {
  const { request, audit } = input;
  const link = await openLink(ports, input);
  if (!link) throw new ServiceError('link_not_found');
  try {
    audit({ events: await undo(ports, link, request.now) });
  } catch (error) {
    const outcome = error instanceof ServiceError ? OUTCOMES[error.key] : undefined;
    if (!outcome || !(error instanceof ServiceError)) throw error;
    audit({ result: error.key });
    return donePage(link, outcome);
  }
  return donePage(link, 'done');
};
