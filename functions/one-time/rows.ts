import { PASSCODE_MAX_TRIES } from '../../shared/domain/basis/limits.ts';
import { EXECUTE_LOGINS } from '../../shared/domain/oauth/permission-sets.ts';
import { LOGIN_ERRORS, SEND_ERRORS } from '../../shared/errors/catalogue.ts';
import type { OperationRow } from '../../shared/operation.ts';
import { CHECK_PASSCODE, COMPLETE_LOGIN, SEND_PASSCODE } from '../../shared/ports/verbs.ts';
import {
  AuthenticateMagicLinkBody,
  AuthenticateOtpBody,
  OpenMagicLinkQuery,
  SendMagicLinkBody,
  SendMagicLinkResponse,
  SendOtpBody,
  SendOtpResponse,
} from '../../shared/schemas/one-time.ts';
import { TokenResponse } from '../../shared/schemas/tokens.ts';

/** Definition fields shared by all operations for passcodes and magic links that backends call. */
const backend = {
  method: 'POST',
  reach: 'api',
  auth: 'client',
  permissions: EXECUTE_LOGINS,
  cors: 'none',
  canary: true,
} as const;

export const sendMagicLink = {
  ...backend,
  section: 'A1',
  path: '/v1/auth/link/email/send',
  file: 'one-time/send-magic-link',
  summary: 'Sends a magic link by email',
  description:
    'Sends an email with a link to a user of the tenant, or returns the link if the channel is `direct`. The application needs links among its login preferences, and the request an allowed `redirect_uri`. The link leads there with `code` and `state`; no user is created. An unknown user is 404 while public sign-up is enabled, otherwise 403.',
  operationId: 'sendMagicLinkEmail',
  input: { json: SendMagicLinkBody },
  output: { status: 200, json: SendMagicLinkResponse },
  dialect: 'status-text',
  errors: [
    ...SEND_ERRORS,
    'redirect_uri_not_allowed',
    'public_signup_off',
    'application_not_found',
    'user_email_address_missing',
  ],
  reportsDeletedApplication: true,
  uses: ['identifiers', 'users.find', 'windows.count', 'links.put', 'links.revoke', 'mailer'],
} as const satisfies OperationRow;

export const openMagicLink = {
  section: 'A1',
  method: 'GET',
  path: '/v1/auth/link/email/open',
  file: 'one-time/open-magic-link',
  reach: 'browser',
  summary: "Opens an emailed link: redirects to the caller with the link's code; consumes nothing",
  description:
    'Target of an emailed link. It redirects to the redirect URI of the send with `code` and `state` and consumes nothing, because mail scanners open links. A used or expired link leads there with `error=invalid_link`. An unknown link is a page with status 404.',
  auth: 'none',
  cors: 'none',
  input: { query: OpenMagicLinkQuery },
  output: { status: 302, html: true },
  dialect: 'numeric',
  errors: ['link_not_found'],
  canary: true,
  errorPage: 'link',
  uses: ['links.find', 'applications'],
} as const satisfies OperationRow;

export const authenticateMagicLink = {
  ...backend,
  section: 'A2',
  path: '/v1/auth/link/email/authenticate',
  file: 'one-time/authenticate-magic-link',
  summary: 'Validates the code of a magic link and returns user tokens',
  description:
    'Logs the user of a link in and returns tokens and a session. The request needs the `code` from the redirect, and the `request_id` if the send generated one. A code can be used once: used, expired and unknown codes are all 400.',
  input: { json: AuthenticateMagicLinkBody },
  output: { status: 200, json: TokenResponse },
  dialect: 'status-text',
  errors: ['magic_link_code_invalid', 'additional_factor_required', ...LOGIN_ERRORS],
  audit: 'login.succeeded',
  checksCredential: true,
  uses: [...COMPLETE_LOGIN, 'links.find', 'links.consume', 'links.undoConsume', 'sessions.endAllOf'],
} as const satisfies OperationRow;

export const sendOtp = {
  ...backend,
  section: 'A3',
  path: '/v1/auth/otp/send',
  file: 'one-time/send-otp',
  summary: 'Sends a one-time passcode by email or SMS, or returns it',
  description:
    'Sends a passcode by email or SMS to a user of the tenant, or returns it if the channel is `direct`. The application needs that channel among its login preferences. A new passcode invalidates the previous one of the same client and identifier, except codes with a `request_id`. An unknown user is 404 `user_not_found`.',
  operationId: 'sendOTP',
  input: { json: SendOtpBody },
  output: { status: 200, json: SendOtpResponse },
  dialect: 'named',
  errors: [...SEND_ERRORS, 'user_email_address_missing', 'user_phone_number_missing'],
  uses: [...SEND_PASSCODE, 'mailer', 'smsSender'],
} as const satisfies OperationRow;

export const authenticateOtp = {
  ...backend,
  section: 'A4',
  path: '/v1/auth/otp/authenticate',
  file: 'one-time/authenticate-otp',
  summary: 'Validates a passcode and returns user tokens',
  description: `Logs a user in with a passcode and returns tokens and a session. The request needs the identifier and type of the send, and the \`request_id\` if the send generated one. Wrong digits are 400 \`auth_invalid_credentials\`. After ${PASSCODE_MAX_TRIES} wrong attempts, or as many as the application allows, the code is invalid and attempts are 403 \`auth_locked\` for a while.`,
  operationId: 'authenticateOTP',
  input: { json: AuthenticateOtpBody },
  output: { status: 200, json: TokenResponse },
  dialect: 'named',
  errors: [
    'auth_invalid_credentials',
    'auth_otp_passcode_expired',
    'auth_locked',
    'additional_factor_required',
    ...LOGIN_ERRORS,
  ],
  audit: 'login.succeeded',
  checksCredential: true,
  uses: [...COMPLETE_LOGIN, ...CHECK_PASSCODE, 'sessions.endAllOf'],
} as const satisfies OperationRow;
