import type { Operation } from '../../shared/operation.ts';
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
import { EXECUTE } from './permissions.ts';
import { SESSION, TRY_PASSCODE } from './uses.ts';

/** Section C: links and passcodes that end at a redirect URI with a code for the caller's backend. */

/** What any of the sends may have to tell. */
const SEND_ERRORS = [
  'redirect_uri_not_allowed',
  'resource_not_found',
  'membership_missing',
  'external_provider_configuration_error',
  'recipient_unreachable',
  'user_not_active',
  'public_signup_off',
  'auth_login_preferences_missing',
  'auth_login_preferences_absent',
  'user_not_found',
  'rate_limited',
] as const;

const VALIDATION_ERRORS = [
  'auth_invalid_credentials',
  'auth_otp_passcode_expired',
  'auth_locked',
  'login_user_gone',
  'user_not_active',
  'public_signup_off',
] as const;

export const sendCodeBasedLink = {
  section: 'C',
  method: 'POST',
  path: '/v1/auth/links/email',
  entry: 'code-based/send-link',
  reach: 'api',
  summary: 'Sends a link by email that leads to the redirect URI with a code to exchange',
  auth: 'client',
  permissions: EXECUTE,
  cors: 'none',
  input: { json: SendCodeBasedLinkBody },
  output: { status: 200, json: SendCodeBasedLinkResponse },
  dialect: 'numeric-list',
  errors: SEND_ERRORS,
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
    'mailer',
  ],
} as const satisfies Operation;

export const openCodeBasedLink = {
  section: 'C',
  method: 'GET',
  path: '/v1/auth/links/email/open',
  entry: 'code-based/open-link',
  reach: 'browser',
  summary: 'Opens a mailed link: redirects to the caller, or shows a Continue page; consumes nothing',
  auth: 'none',
  cors: 'none',
  input: { query: OpenedQuery },
  output: { status: 302, html: true },
  dialect: 'numeric',
  errors: [],
  uses: ['codes.find', 'applications', 'tenants', 'users.find', 'sessions.find'],
} as const satisfies Operation;

export const continueCodeBasedLogin = {
  section: 'C',
  method: 'POST',
  path: ['/v1/auth/links/email/open', '/v1/auth/resume'],
  entry: 'code-based/continue-login',
  reach: 'browser',
  summary:
    'Goes on from the Continue page of a link or a validated passcode that changes the login of the browser',
  auth: 'none',
  cors: 'none',
  input: { query: OpenedQuery, form: ContinueForm },
  output: { status: 302, html: true },
  dialect: 'numeric',
  errors: [],
  uses: [...SESSION, 'codes.find', 'codes.upgrade', 'codes.spend', 'applications', 'tenants', 'users.find'],
} as const satisfies Operation;

export const sendEmailOtp = {
  section: 'C',
  method: 'POST',
  path: '/v1/auth/otp/email',
  entry: 'code-based/send-email-otp',
  reach: 'api',
  summary: 'Sends a one-time passcode by email, to be validated for a redirect',
  auth: 'client',
  permissions: EXECUTE,
  cors: 'none',
  input: { json: SendEmailOtpBody },
  output: { status: 200, json: SendCodeBasedOtpResponse },
  dialect: 'numeric-list',
  errors: SEND_ERRORS,
  uses: [
    'identifiers',
    'users.find',
    'memberships',
    'organizations',
    'resources',
    'windows.count',
    'windows.takeBack',
    'codeMac',
    'otps.put',
    'otps.revoke',
    'mailer',
  ],
} as const satisfies Operation;

export const validateEmailOtp = {
  section: 'C',
  method: 'POST',
  path: '/v1/auth/otp/email/validation',
  entry: 'code-based/validate-email-otp',
  reach: 'api',
  summary: 'Validates a passcode sent by email and tells where the browser goes on',
  auth: 'client',
  permissions: EXECUTE,
  cors: 'none',
  input: { json: ValidateEmailOtpBody },
  output: { status: 200, json: ValidateOtpResponse },
  dialect: 'numeric-list',
  errors: VALIDATION_ERRORS,
  uses: [...TRY_PASSCODE, 'codes.put'],
} as const satisfies Operation;

export const sendSmsOtp = {
  section: 'C',
  method: 'POST',
  path: '/v1/auth/otp/sms',
  entry: 'code-based/send-sms-otp',
  reach: 'api',
  summary: 'Sends a one-time passcode by SMS, to be validated for a redirect',
  auth: 'client',
  permissions: EXECUTE,
  cors: 'none',
  input: { json: SendSmsOtpBody },
  output: { status: 200, json: SendCodeBasedOtpResponse },
  dialect: 'numeric-list',
  errors: SEND_ERRORS,
  uses: [
    'identifiers',
    'users.find',
    'memberships',
    'organizations',
    'resources',
    'windows.count',
    'windows.takeBack',
    'codeMac',
    'otps.put',
    'otps.revoke',
    'texter',
  ],
} as const satisfies Operation;

export const validateSmsOtp = {
  section: 'C',
  method: 'POST',
  path: '/v1/auth/otp/sms/validation',
  entry: 'code-based/validate-sms-otp',
  reach: 'api',
  summary: 'Validates a passcode sent by SMS and tells where the browser goes on',
  auth: 'client',
  permissions: EXECUTE,
  cors: 'none',
  input: { json: ValidateSmsOtpBody },
  output: { status: 200, json: ValidateOtpResponse },
  dialect: 'numeric-list',
  errors: VALIDATION_ERRORS,
  uses: [...TRY_PASSCODE, 'codes.put'],
} as const satisfies Operation;

export const resumeLogin = {
  section: 'C',
  method: 'GET',
  path: '/v1/auth/resume',
  entry: 'code-based/resume',
  reach: 'browser',
  summary: 'Leads the browser back to the caller with the code of a validated passcode',
  auth: 'none',
  cors: 'none',
  input: { query: OpenedQuery },
  output: { status: 302, html: true },
  dialect: 'numeric',
  errors: [],
  uses: [...SESSION, 'codes.find', 'codes.upgrade', 'codes.spend', 'applications', 'tenants', 'users.find'],
} as const satisfies Operation;
