/**
 * Format of error responses (SPEC "Errors"). `named`: `error_code` is a string. `status-text`: it is the status as a string
 * (A1, A2). `numeric`: it is the status as a number. `oauth`: the members of RFC 6749 and of this service. `numeric-list` and
 * `oauth-list`: like `numeric` and `oauth`, but a 400 has an array of messages (C, E1, F).
 */
export type ErrorDialect = 'named' | 'status-text' | 'numeric' | 'numeric-list' | 'oauth' | 'oauth-list';

/** Description of a rejected login, for support staff. Each rejection is logged as the event `login.failed` with its error. */
export interface FailedLogin {
  /** Text for support staff that says what was rejected and why. A timeline shows it after the login method. */
  readonly words: string;
  /** Time at which the same credential can succeed: `now`, `later`, or `never` unless the account or settings change. */
  readonly retry: 'now' | 'later' | 'never';
}

/**
 * Error that a caller can see. Code throws it by its key in the catalogue. `named` is the `error_code` in the format `named`,
 * by default the status as text. `oauth` is the `error` value of RFC 6749 or of one of its extensions.
 */
export interface CatalogueEntry {
  readonly status: number;
  readonly message: string;
  readonly named?: string;
  readonly oauth?: string;
  /** Additional members of the response body, in every error format. */
  readonly extra?: Readonly<Record<string, string>>;
  /**
   * Description of the rejected login. Operations with `checksCredential` need one for each error. False if no credential was
   * rejected.
   */
  readonly failedLogin?: FailedLogin | false;
}

export const catalogue = {
  system_invalid_input: {
    status: 400,
    message: 'Invalid input',
    named: 'system_invalid_input',
    oauth: 'invalid_request',
  },
  redirect_uri_not_allowed: {
    status: 400,
    message: 'redirect_uri is not one of the allowed redirect URIs of the application',
    oauth: 'invalid_request',
  },
  resource_not_found: {
    status: 400,
    message: 'Resource not found',
    named: 'system_invalid_input',
    oauth: 'invalid_target',
    failedLogin: false,
  },
  membership_missing: {
    status: 400,
    message: 'User is not a member of the organization',
    named: 'system_invalid_input',
    oauth: 'invalid_grant',
    failedLogin: {
      words: 'the user is not a member of the organization that the login asked for',
      retry: 'never',
    },
  },
  session_not_found: {
    status: 400,
    message: 'Session not found',
    named: 'system_invalid_input',
    oauth: 'invalid_grant',
    failedLogin: { words: 'the session that the login should continue has ended', retry: 'now' },
  },

  notice_link_over: { status: 400, message: 'The link was already used or is no longer needed' },
  recovery_impossible: { status: 400, message: 'The user has no proven address that can be notified' },
  magic_link_code_invalid: {
    status: 400,
    message: 'Invalid magic link code',
    failedLogin: { words: 'the link is wrong, expired or already used', retry: 'now' },
  },
  login_user_gone: {
    status: 400,
    message: 'User not found',
    named: 'auth_invalid_credentials',
    oauth: 'invalid_grant',
    failedLogin: {
      words: 'the user was erased, or no longer has the address that was proven',
      retry: 'never',
    },
  },
  auth_invalid_credentials: {
    status: 400,
    message: 'Invalid passcode',
    named: 'auth_invalid_credentials',
    failedLogin: { words: 'wrong code', retry: 'now' },
  },
  auth_otp_passcode_expired: {
    status: 400,
    message: 'The passcode has expired',
    named: 'auth_otp_passcode_expired',
    failedLogin: { words: 'correct code, but expired', retry: 'now' },
  },
  auth_locked: {
    status: 403,
    message: 'Too many failed attempts: the code is invalid, try again later with a new one',
    named: 'auth_locked',
    failedLogin: { words: 'refused: codes are locked', retry: 'later' },
  },
  auth_login_preferences_missing: {
    status: 403,
    message: 'The application has not configured this login method',
    named: 'auth_login_preferences_missing',
  },
  auth_login_preferences_absent: {
    status: 404,
    message: 'The application has no login preferences',
    named: 'auth_login_preferences_missing',
  },

  /** Error of requests that bypass CloudFront. Callers of the public URL never see it. */
  edge_bypassed: { status: 403, message: 'Forbidden' },

  passkey_invalid: {
    status: 400,
    message: 'Invalid passkey',
    named: 'auth_invalid_credentials',
    failedLogin: { words: 'wrong passkey', retry: 'now' },
  },
  additional_factor_required: {
    status: 403,
    message:
      "This credential cannot log in by itself here. Use another of the user's factors in the same session (session_id)",
    named: 'additional_factor_required',
    failedLogin: {
      words:
        'refused: the credential is superseded, or cannot log in by itself here; it needs another factor in the same session',
      retry: 'never',
    },
  },
  passkey_taken: { status: 409, message: 'The passkey is already registered' },
  passkey_not_found: { status: 404, message: 'Passkey not found' },
  approval_invalid: {
    status: 400,
    message: 'Invalid approval',
    named: 'auth_invalid_credentials',
    failedLogin: { words: 'the approval is wrong, expired or already used', retry: 'now' },
  },
  device_key_not_found: { status: 404, message: 'Device key not found' },
  too_many_credentials: {
    status: 409,
    message: 'The user has too many credentials of this type: remove one first',
  },

  application_not_found: { status: 404, message: 'App not found' },
  user_not_found: { status: 404, message: 'User not found', named: 'user_not_found' },
  user_email_address_missing: {
    status: 404,
    message: 'The user has no email address',
    named: 'user_email_address_missing',
  },
  user_phone_number_missing: {
    status: 404,
    message: 'The user has no phone number',
    named: 'user_phone_number_missing',
  },
  user_not_active: {
    status: 403,
    message: 'User is not active',
    named: 'user_not_active',
    oauth: 'invalid_grant',
    failedLogin: { words: 'the user is disabled', retry: 'never' },
  },
  public_signup_off: {
    status: 403,
    message: 'Public signup is not allowed for this application',
    failedLogin: { words: 'no user has this address, and sign-up is off', retry: 'never' },
  },
  test_code_not_found: { status: 404, message: 'Test code not found' },
  tenant_not_found: { status: 404, message: 'Tenant not found' },
  client_not_found: { status: 404, message: 'Client not found' },
  secret_not_found: { status: 404, message: 'Secret not found' },
  unknown_resource: { status: 404, message: 'Resource not found' },
  webhook_not_found: { status: 404, message: 'Webhook not found' },
  delivery_not_found: { status: 404, message: 'Delivery not found' },
  organization_not_found: { status: 404, message: 'Organization not found' },
  member_not_found: { status: 404, message: 'Member not found' },
  identifier_taken: { status: 409, message: 'The identifier belongs to another user' },
  already_member: { status: 409, message: 'The user is already a member' },
  in_use: { status: 409, message: 'The record is in use' },
  own_client: { status: 409, message: 'The client would lock itself out: use another client' },
  concurrent_change: {
    status: 409,
    message: 'The record was changed in the meantime: read it again and retry',
  },

  external_provider_configuration_error: {
    status: 400,
    message: 'The provider refused the message',
    named: 'external_provider_configuration_error',
  },
  recipient_unreachable: {
    status: 400,
    message: 'No messages are sent to this recipient',
    named: 'external_provider_configuration_error',
  },

  invalid_client: {
    status: 401,
    message: 'Client authentication failed',
    oauth: 'invalid_client',
    failedLogin: false,
  },
  unsupported_grant_type: { status: 400, message: 'Unsupported grant_type', oauth: 'unsupported_grant_type' },
  invalid_scope: { status: 400, message: 'Invalid scope', oauth: 'invalid_scope' },
  invalid_grant: {
    status: 400,
    message: 'The grant is invalid, expired, revoked or already used',
    oauth: 'invalid_grant',
    failedLogin: {
      words: 'the code of the login is wrong, expired or already used, or its user may not log in',
      retry: 'now',
    },
  },
  unauthorized_client: {
    status: 400,
    message: 'The client may not use this grant or operation',
    oauth: 'unauthorized_client',
    failedLogin: false,
  },
  unsupported_token_type: {
    status: 400,
    message: 'Tokens of this type cannot be revoked',
    oauth: 'unsupported_token_type',
  },
  invalid_dpop_proof: {
    status: 400,
    message: 'Invalid DPoP proof',
    oauth: 'invalid_dpop_proof',
    failedLogin: false,
  },
  use_dpop_nonce: {
    status: 400,
    message: 'The DPoP proof needs the nonce of the DPoP-Nonce header',
    oauth: 'use_dpop_nonce',
    failedLogin: false,
  },

  login_required: { status: 400, message: 'No user is logged in', oauth: 'login_required' },
  interaction_required: {
    status: 400,
    message: 'The login requires user interaction',
    oauth: 'interaction_required',
  },
  consent_required: {
    status: 400,
    message: 'The user must give consent',
    oauth: 'consent_required',
  },
  access_denied: { status: 400, message: 'Access denied', oauth: 'access_denied' },
  unsupported_response_type: {
    status: 400,
    message: 'response_type: must be code',
    oauth: 'unsupported_response_type',
  },
  request_not_supported: {
    status: 400,
    message: 'request: request objects are not supported',
    oauth: 'request_not_supported',
  },
  request_uri_not_supported: {
    status: 400,
    message: 'request_uri: must have been issued by this service',
    oauth: 'request_uri_not_supported',
  },

  request_uri_spent: {
    status: 400,
    message: 'request_uri: is unknown, expired or already used',
    oauth: 'invalid_request_uri',
  },

  provider_denied: {
    status: 400,
    message: 'The login was cancelled at the provider',
    oauth: 'access_denied',
  },
  provider_failed: {
    status: 400,
    message: 'The provider did not prove who logged in',
    oauth: 'access_denied',
    failedLogin: { words: 'the provider did not prove who logged in', retry: 'now' },
  },
  provider_unavailable: {
    status: 503,
    message: 'The provider does not answer: try again shortly',
    oauth: 'temporarily_unavailable',
  },
  provider_not_configured: {
    status: 400,
    message: 'The application has not configured this provider',
    oauth: 'invalid_request',
  },
  provider_address_taken: {
    status: 400,
    message: 'An account with this address exists: log in to it in another way',
    oauth: 'access_denied',
    failedLogin: {
      words:
        'the address from the provider belongs to another account; log in to that one in another way first',
      retry: 'never',
    },
  },
  upstream_login_over: {
    status: 400,
    message: 'The login at the provider has ended or took too long: log in again',
    oauth: 'access_denied',
    failedLogin: false,
  },

  login_not_found: { status: 404, message: 'This login has ended', failedLogin: false },
  login_done: { status: 404, message: 'This login is complete', failedLogin: false },
  login_elsewhere: { status: 404, message: 'This login began in another browser', failedLogin: false },
  login_code_elsewhere: { status: 404, message: 'This login began in another browser', failedLogin: false },
  cookies_missing: { status: 404, message: 'The browser sent no cookie of this login', failedLogin: false },
  resume_over: { status: 400, message: 'This login has ended' },
  resume_elsewhere: { status: 400, message: 'The page was not opened in this browser' },
  link_not_found: {
    status: 404,
    message: 'The link is unknown or expired',
    failedLogin: { words: 'the link is unknown, expired or already used', retry: 'now' },
  },
  logout_hint_invalid: {
    status: 400,
    message: 'id_token_hint: is not an ID token of this service',
    oauth: 'invalid_request',
  },

  invalid_token: { status: 401, message: 'Invalid token', oauth: 'invalid_token' },
  /** Error of RFC 9470. Every response contains its code, so that clients do not mistake it for an expired token. */
  insufficient_user_authentication: {
    status: 401,
    message: 'A recent login or a second factor is required',
    named: 'insufficient_user_authentication',
    oauth: 'insufficient_user_authentication',
    extra: { error: 'insufficient_user_authentication' },
  },
  insufficient_permission: {
    status: 403,
    message: 'Insufficient permission',
    oauth: 'insufficient_scope',
  },

  rate_limited: {
    status: 429,
    message: 'Too many requests: try again later',
    named: 'rate_limited',
    oauth: 'temporarily_unavailable',
    failedLogin: false,
  },
  service_unavailable: {
    status: 503,
    message: 'The service is busy: try again shortly',
    oauth: 'temporarily_unavailable',
  },
  body_too_large: {
    status: 413,
    message: 'The body is larger than 256 KB',
    oauth: 'invalid_request',
  },
  unsupported_media_type: {
    status: 415,
    message: 'Unsupported content type',
    oauth: 'invalid_request',
  },
  not_found: { status: 404, message: 'Not found', oauth: 'invalid_request' },
  method_not_allowed: {
    status: 405,
    message: 'Method not allowed',
    oauth: 'invalid_request',
  },
  device_proof_required: { status: 403, message: 'Sign the challenge with the key of this session' },
  internal_error: { status: 500, message: 'Internal error', oauth: 'server_error' },
} as const satisfies Record<string, CatalogueEntry>;

export type ErrorKey = keyof typeof catalogue;

/** Errors of a login that issues tokens. Operation rows of several areas share this list. */
export const LOGIN_ERRORS = [
  'session_not_found',
  'resource_not_found',
  'membership_missing',
  'login_user_gone',
  'user_not_active',
] as const satisfies readonly ErrorKey[];

/** Errors of sending a link or passcode to a user. Operation rows of several areas share this list. */
export const SEND_ERRORS = [
  'external_provider_configuration_error',
  'recipient_unreachable',
  'user_not_active',
  'auth_login_preferences_missing',
  'auth_login_preferences_absent',
  'user_not_found',
  'rate_limited',
] as const satisfies readonly ErrorKey[];
