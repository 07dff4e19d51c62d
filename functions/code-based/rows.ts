import { EXECUTE_LOGINS } from '../../shared/domain/oauth/permission-sets.ts';
import { SEND_ERRORS } from '../../shared/errors/catalogue.ts';
import type { OperationRow } from '../../shared/operation.ts';
import { CHANGE_USER, CHECK_PASSCODE, SEND_PASSCODE } from '../../shared/ports/verbs.ts';
import {
  ContinueForm,
  OpenedQuery,
  SendCodeBasedLinkBody,
  SendCodeBasedLinkResponse,
  SendCodeBasedOtpResponse,
  SendEmailOtpBody,
  SendSmsOtpBody,
  ValidateEmailOtpBody,
  ValidateOtpResponse,
  ValidateSmsOtpBody,
} from '../../shared/schemas/code-based.ts';

const REDIRECT_ERRORS = [
  ...SEND_ERRORS,
  'redirect_uri_not_allowed',
  'resource_not_found',
  'membership_missing',
  'public_signup_off',
] as const;

const VALIDATION_ERRORS = [
  'auth_invalid_credentials',
  'auth_otp_passcode_expired',
  'auth_locked',
  'login_user_gone',
  'user_not_active',
  'public_signup_off',
] as const;

/** Store operations that a browser login needs to continue with the code of a link or of a validated passcode. */
const CONTINUE = [
  ...CHANGE_USER,
  'codes.find',
  'codes.upgrade',
  'codes.spend',
  'applications',
  'tenants',
  'users.find',
  'sessions.start',
  'sessions.find',
  'sessions.join',
  'sessions.releaseBrowser',
  'sessions.endAllOf',
  'users.noteProof',
  'passkeys.listOf',
] as const;

/** Definition fields shared by all operations of code-based logins that backends call. */
const backend = {
  section: 'C',
  reach: 'api',
  auth: 'client',
  permissions: EXECUTE_LOGINS,
  cors: 'none',
  dialect: 'numeric-list',
} as const;

/** Definition fields shared by all operations of code-based logins that browsers request. */
const browser = {
  section: 'C',
  reach: 'browser',
  auth: 'none',
  cors: 'none',
  dialect: 'numeric',
  errorPage: 'link',
} as const;

export const sendCodeBasedLink = {
  ...backend,
  method: 'POST',
  path: '/v1/auth/links/email',
  event: 'code-based/send-link',
  file: 'code-based/send-link',
  summary: 'Sends a link by email that leads to the redirect URI with a code to exchange',
  description:
    'Sends an email with a link that leads the browser to the redirect URI with a code. Your backend exchanges the code at `/v1/token`. With `create_new_user` an unknown address signs up, and the user is created at the exchange. Otherwise an unknown user is 404.',
  input: { json: SendCodeBasedLinkBody },
  output: { status: 200, json: SendCodeBasedLinkResponse },
  errors: REDIRECT_ERRORS,
  uses: [
    'identifiers',
    'users.find',
    'memberships',
    'organizations',
    'resources',
    'windows.count',
    'codes.put',
    'codes.consume',
    'codes.spend',
    'passkeys.listOf',
    'mailer',
  ],
} as const satisfies OperationRow;

export const openCodeBasedLink = {
  ...browser,
  method: 'GET',
  path: '/v1/auth/links/email/open',
  event: 'code-based/open-link',
  file: 'code-based/open-link',
  summary: 'Opens an emailed link: redirects to the caller or shows a Continue page; consumes nothing',
  description:
    'Target of an emailed link. It redirects to the redirect URI with a code, or first shows a page with a button because of mail scanners or a second factor; it consumes nothing. A used or expired link leads there with `error=invalid_link`; an unknown one is a page with status 404.',
  input: { query: OpenedQuery },
  output: { status: 302, html: true },
  errors: ['link_not_found'],
  checksCredential: true,
  uses: ['codes.find', 'applications', 'tenants', 'users.find', 'sessions.find'],
} as const satisfies OperationRow;

export const continueCodeBasedLogin = {
  ...browser,
  method: 'POST',
  path: ['/v1/auth/links/email/open', '/v1/auth/resume'],
  event: 'code-based/continue-login',
  file: 'code-based/continue-login',
  summary:
    "Continues from the Continue page of a link or a validated passcode that changes the browser's login",
  description:
    "Target of the Continue page's button. The request needs the code in the address and the `csrf` field of the page. The browser continues to the redirect URI with a code, or with `error=mfa_required` if a second factor is missing.",
  input: { query: OpenedQuery, form: ContinueForm },
  output: { status: 302, html: true },
  errors: ['link_not_found', 'resume_over', 'resume_elsewhere'],
  uses: CONTINUE,
} as const satisfies OperationRow;

const sendOtp = {
  ...backend,
  method: 'POST',
  file: 'code-based/send-otp',
  output: { status: 200, json: SendCodeBasedOtpResponse },
  errors: REDIRECT_ERRORS,
} as const;

const validateOtp = {
  ...backend,
  method: 'POST',
  file: 'code-based/validate-otp',
  output: { status: 200, json: ValidateOtpResponse },
  errors: VALIDATION_ERRORS,
  checksCredential: true,
  uses: [...CHECK_PASSCODE, 'users.find', 'passkeys.listOf', 'codes.put'],
} as const;

export const sendEmailOtp = {
  ...sendOtp,
  path: '/v1/auth/otp/email',
  summary: 'Sends a one-time passcode by email, for a login that ends at a redirect',
  description:
    "Sends a passcode by email, for a login that ends at the redirect URI with a code. Validate the user's input at `/v1/auth/otp/email/validation`. With `create_new_user` an unknown address signs up; otherwise it is 404.",
  input: { json: SendEmailOtpBody },
  uses: [...SEND_PASSCODE, 'memberships', 'organizations', 'resources', 'mailer'],
} as const satisfies OperationRow;

export const validateEmailOtp = {
  ...validateOtp,
  path: '/v1/auth/otp/email/validation',
  summary: 'Validates a passcode sent by email and returns where the browser continues',
  description:
    "Validates a passcode that was sent by email. The request needs the address and the digits, from the client that sent them. Open `result` in the user's browser, which then returns with a code to exchange. Wrong digits are 400, and too many wrong attempts 403.",
  input: { json: ValidateEmailOtpBody },
} as const satisfies OperationRow;

export const sendSmsOtp = {
  ...sendOtp,
  path: '/v1/auth/otp/sms',
  summary: 'Sends a one-time passcode by SMS, for a login that ends at a redirect',
  description:
    "Sends a passcode by SMS, for a login that ends at the redirect URI with a code. Validate the user's input at `/v1/auth/otp/sms/validation`. With `create_new_user` an unknown number signs up; otherwise it is 404.",
  input: { json: SendSmsOtpBody },
  uses: [...SEND_PASSCODE, 'memberships', 'organizations', 'resources', 'smsSender'],
} as const satisfies OperationRow;

export const validateSmsOtp = {
  ...validateOtp,
  path: '/v1/auth/otp/sms/validation',
  summary: 'Validates a passcode sent by SMS and returns where the browser continues',
  description:
    "Validates a passcode that was sent by SMS. The request needs the number and the digits, from the client that sent them. Open `result` in the user's browser, which then returns with a code to exchange. Wrong digits are 400, and too many wrong attempts 403.",
  input: { json: ValidateSmsOtpBody },
} as const satisfies OperationRow;

export const resumeLogin = {
  ...browser,
  method: 'GET',
  path: '/v1/auth/resume',
  event: 'code-based/resume',
  file: 'code-based/continue-login',
  summary: 'Returns the browser to the caller with the code of a validated passcode',
  description:
    "The `result` of a validation, which is opened in the user's browser. It redirects to the redirect URI with a code, or with `error=mfa_required` if a second factor is missing. If another user is logged in, a page first names both accounts.",
  input: { query: OpenedQuery },
  output: { status: 302, html: true },
  errors: ['login_not_found', 'resume_over'],
  uses: CONTINUE,
} as const satisfies OperationRow;
