import type { Operation } from '../../shared/operation.ts';
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

/** Section A: links and passcodes, from one backend to another, and the opening of a mailed link. */

/** Who may run logins for an application (sections A and C). */
const EXECUTE = ['apps:execute', '[appId]:execute', 'auth:execute'] as const;

/** What the first proof of an address takes away: all that was there before it. */
const RECLAIM = ['userRecords', 'identifierClaims', 'passkeyRecords', 'deviceKeys'] as const;

export const sendMagicLink = {
  section: 'A1',
  method: 'POST',
  path: '/v1/auth/link/email/send',
  entry: 'one-time/send-magic-link',
  reach: 'api',
  summary: 'Sends a magic link by email',
  auth: 'client',
  permissions: EXECUTE,
  cors: 'none',
  input: { json: SendMagicLinkBody },
  output: { status: 200, json: SendMagicLinkResponse },
  dialect: 'status-text',
  errors: [
    'redirect_uri_not_allowed',
    'public_signup_off',
    'user_not_active',
    'auth_login_preferences_missing',
    'auth_login_preferences_absent',
    'application_not_found',
    'user_not_found',
    'user_email_address_missing',
    'external_provider_configuration_error',
    'recipient_unreachable',
    'rate_limited',
  ],
  uses: ['identifiers', 'users', 'windows', 'links', 'mailer'],
} as const satisfies Operation;

export const openMagicLink = {
  section: 'A1',
  method: 'GET',
  path: '/v1/auth/link/email/open',
  entry: 'one-time/open-magic-link',
  reach: 'browser',
  summary: 'Opens a mailed link: redirects to the caller with the link code, consumes nothing',
  auth: 'none',
  cors: 'none',
  input: { query: OpenMagicLinkQuery },
  output: { status: 302, html: true },
  dialect: 'numeric',
  errors: [],
  uses: ['links', 'applications'],
} as const satisfies Operation;

export const authenticateMagicLink = {
  section: 'A2',
  method: 'POST',
  path: '/v1/auth/link/email/authenticate',
  entry: 'one-time/authenticate-magic-link',
  reach: 'api',
  summary: 'Validates the code of a magic link and returns user tokens',
  auth: 'client',
  permissions: EXECUTE,
  cors: 'none',
  input: { json: AuthenticateMagicLinkBody },
  output: { status: 200, json: TokenResponse },
  dialect: 'status-text',
  errors: [
    'magic_link_code_invalid',
    'login_user_gone',
    'session_not_found',
    'resource_not_found',
    'membership_missing',
    'user_not_active',
  ],
  uses: [
    'links',
    'resources',
    'users',
    'memberships',
    'organizations',
    'sessions',
    ...RECLAIM,
    'otps',
    'signingKeys',
    'signer',
  ],
} as const satisfies Operation;

export const sendOtp = {
  section: 'A3',
  method: 'POST',
  path: '/v1/auth/otp/send',
  entry: 'one-time/send-otp',
  reach: 'api',
  summary: 'Sends a one-time passcode by email or SMS, or returns it',
  auth: 'client',
  permissions: EXECUTE,
  cors: 'none',
  input: { json: SendOtpBody },
  output: { status: 200, json: SendOtpResponse },
  dialect: 'named',
  errors: [
    'external_provider_configuration_error',
    'recipient_unreachable',
    'user_not_active',
    'auth_login_preferences_missing',
    'auth_login_preferences_absent',
    'user_not_found',
    'user_email_address_missing',
    'user_phone_number_missing',
    'rate_limited',
  ],
  uses: ['identifiers', 'users', 'windows', 'codeMac', 'otps', 'mailer', 'texter'],
} as const satisfies Operation;

export const authenticateOtp = {
  section: 'A4',
  method: 'POST',
  path: '/v1/auth/otp/authenticate',
  entry: 'one-time/authenticate-otp',
  reach: 'api',
  summary: 'Validates a passcode and returns user tokens',
  auth: 'client',
  permissions: EXECUTE,
  cors: 'none',
  input: { json: AuthenticateOtpBody },
  output: { status: 200, json: TokenResponse },
  dialect: 'named',
  errors: [
    'auth_invalid_credentials',
    'auth_otp_passcode_expired',
    'auth_locked',
    'login_user_gone',
    'session_not_found',
    'resource_not_found',
    'membership_missing',
    'user_not_active',
  ],
  uses: [
    'otps',
    'codeMac',
    'resources',
    'users',
    'memberships',
    'organizations',
    'sessions',
    ...RECLAIM,
    'signingKeys',
    'signer',
  ],
} as const satisfies Operation;
