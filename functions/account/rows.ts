import { RECOVERY_SECONDS, SECONDS_PER_DAY } from '../../shared/domain/basis/limits.ts';
import type { Operation } from '../../shared/operation.ts';
import { NoticeLinkQuery, UserIdPath, UserResponse } from '../../shared/schemas/users.ts';

/** What users do about their accounts by links in notices, and the recovery without a second factor. */

export const noticeLinkPage = {
  section: 'account',
  method: 'GET',
  path: '/notice',
  event: 'account/notice-link-page',
  file: 'account/notice-link',
  reach: 'browser',
  summary: 'Asks before a link of a notice undoes what the notice tells of',
  description:
    'Mails about a changed address or a recovery hold such a link. Opening it changes nothing, because mail scanners open links. An unknown or expired link is a page with status 404.',
  auth: 'none',
  cors: 'none',
  input: { query: NoticeLinkQuery },
  output: { status: 200, html: true },
  dialect: 'numeric',
  errors: ['link_not_found'],
  errorPage: 'link',
  uses: ['noticeLinks.find', 'applications', 'tenants', 'users.find'],
} as const satisfies Operation;

export const openNoticeLink = {
  ...noticeLinkPage,
  method: 'POST',
  event: 'account/open-notice-link',
  summary: 'Undoes what a notice tells of, as the person has said on the page of its link',
  description:
    'Gives the user the former address back, which ends all sessions, or stops a recovery. It works once. A page says so with status 400 when it is over, or when another user has the address.',
  output: { status: 303, html: true },
  uses: [
    'noticeLinks.find',
    'applications',
    'tenants',
    'userRecords.find',
    'userRecords.replace',
    'identifierReservations.reserve',
    'identifierReservations.takeOver',
    'identifierReservations.release',
    'sessions.endAllOf',
  ],
} as const satisfies Operation;

export const grantRecovery = {
  section: 'account',
  method: 'PUT',
  path: '/v1/users/{userId}/recovery',
  event: 'account/grant-recovery',
  file: 'account/grant-recovery',
  reach: 'api',
  summary: 'Lets one kind of factor be enough at once for a user who has lost another, to bind a new one',
  description: `Counts at once and for ${RECOVERY_SECONDS / SECONDS_PER_DAY} days, asked for or not; every address of the user is told. Make sure of the person first. It takes an admin token for users with roles (403).`,
  auth: ['client', 'admin'],
  permissions: ['users:recover'],
  cors: 'none',
  input: { path: UserIdPath },
  output: { status: 200, json: UserResponse },
  dialect: 'numeric',
  errors: ['user_not_found', 'concurrent_change'],
  audit: 'user.recovery_granted',
  uses: ['userRecords.find', 'userRecords.replace'],
} as const satisfies Operation;
