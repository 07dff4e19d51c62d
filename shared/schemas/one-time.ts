import * as v from 'valibot';
import {
  LINK_EXPIRES_MINUTES,
  LINK_EXPIRES_MINUTES_MAX,
  PASSCODE_EXPIRES_MINUTES,
  PASSCODE_EXPIRES_MINUTES_MAX,
} from '../domain/basis/limits.ts';
import type { CodeChannel } from '../records/channels.ts';
import { describe, described, sample } from './fields/described.ts';
import {
  ApprovalData,
  approvalDataEcho,
  ClientAttributes,
  deviceId,
  EmailContent,
  echoedState,
  identifier,
  loginFields,
  passcode,
  secret,
  smsFields,
  uiLocales,
  uri,
} from './fields/login.ts';
import * as words from './fields/words.ts';

const identifierType = described(
  v.pipe(
    v.string(),
    v.regex(
      /^[A-Za-z][A-Za-z0-9_]{0,63}$/,
      'must be one of email, phone_number, user_id, username, or a custom type of letters, digits and underscores',
    ),
    v.toLowerCase(),
  ),
  describe(
    'Type of `identifier`: `email`, `phone_number`, `user_id`, `username`, or a custom type of the tenant.',
    'email',
  ),
);
const minutes = (max: number) => v.pipe(v.number(), v.gtValue(0), v.maxValue(max));
const userIdentifier = described(
  identifier,
  describe(
    'Identifier of the user, of type `identifier_type`. Phone numbers are in E.164, with `+` and country code.',
    'ann@example.com',
  ),
);
const generateRequestId = described(
  v.optional(v.boolean()),
  describe(
    'Whether to answer with a `request_id`, which the authenticate operation then requires. Default: false.',
    false,
  ),
);
const requestId = 'req_7TgYb3NcVx0aPq';
const generatedRequestId = described(
  v.optional(v.string()),
  describe('Value that the authenticate operation requires. Only with `generate_request_id`.', requestId),
);

export const SendMagicLinkBody = described(
  v.object({
    redirect_uri: described(uri, words.redirectUri),
    identifier: v.optional(userIdentifier),
    identifier_type: v.optional(identifierType),
    // Deprecated in favour of the two fields above (SPEC A1).
    email: v.optional(
      v.pipe(
        described(
          identifier,
          describe('Email address. Ignored if `identifier` is given.', 'ann@example.com'),
        ),
        v.metadata({ deprecated: true }),
      ),
    ),
    device_id: v.optional(deviceId),
    email_content: v.optional(EmailContent),
    state: echoedState,
    email_expiration: described(
      v.optional(minutes(LINK_EXPIRES_MINUTES_MAX)),
      describe(
        `Lifetime of the link in minutes, fractions allowed. At most ${LINK_EXPIRES_MINUTES_MAX}. ` +
          `Default: the application's setting, otherwise ${LINK_EXPIRES_MINUTES}.`,
        LINK_EXPIRES_MINUTES,
      ),
    ),
    channel: described(
      v.optional(v.picklist(['email', 'direct'])),
      describe(
        '`email` to send the link, `direct` to return it in the answer without sending it. Default: `email`.',
        'email',
      ),
    ),
    client_attributes: v.optional(ClientAttributes),
    generate_request_id: generateRequestId,
  }),
  sample('redirect_uri', 'identifier', 'identifier_type', 'email_content', 'state', 'email_expiration'),
);

const linkCode = 'Vd0sXg8kq1m2RzYw3PbN5tJc7HfLuEaQo9KiTx4Mv6S';

export const SendMagicLinkResponse = v.object({
  message: described(v.string(), words.developerMessage('Email sent successfully')),
  request_id: generatedRequestId,
  link: described(
    v.optional(v.string()),
    describe(
      'Link, which is valid once. Only with channel `direct`.',
      `https://login.example.com/cis/v1/auth/link/email/open?code=${linkCode}`,
    ),
  ),
  code: described(
    v.optional(v.string()),
    describe('Code of the link. Only with channel `direct`.', linkCode),
  ),
});

export const OpenMagicLinkQuery = v.object({
  code: described(secret, describe('Code of the link.', linkCode)),
  ui_locales: uiLocales,
});

const authenticateFields = {
  ...loginFields,
  request_id: described(
    v.optional(secret),
    describe('`request_id` of the send. Required if the send generated one, otherwise ignored.', requestId),
  ),
};

export const AuthenticateMagicLinkBody = described(
  v.object({
    code: described(secret, describe('Code that the redirect URI received.', linkCode)),
    ...authenticateFields,
  }),
  sample('code', 'resource', 'client_attributes', 'device_id'),
);

const sendOtpFields = {
  identifier_type: identifierType,
  identifier: userIdentifier,
  device_id: v.optional(deviceId),
  approval_data: v.optional(ApprovalData),
  client_attributes: v.optional(ClientAttributes),
  expires_in: described(
    v.optional(minutes(PASSCODE_EXPIRES_MINUTES_MAX)),
    describe(
      `Lifetime of the passcode in minutes, fractions allowed. At most ${PASSCODE_EXPIRES_MINUTES_MAX}. ` +
        `Default: the application's setting, otherwise ${PASSCODE_EXPIRES_MINUTES}.`,
      PASSCODE_EXPIRES_MINUTES,
    ),
  ),
  generate_request_id: generateRequestId,
};

/** Request for a passcode by mail. Fields of other channels are ignored, like unknown fields. */
export const SendOtpByEmail = described(
  v.object({
    channel: described(v.literal('email'), describe('Sends the passcode by mail.')),
    ...sendOtpFields,
    email_content: v.optional(EmailContent),
    custom_email: described(
      v.optional(identifier),
      describe("Email address to use instead of the user's. It is not verified.", 'ann.work@example.com'),
    ),
  }),
  sample('channel', 'identifier_type', 'identifier', 'email_content', 'expires_in'),
);
export const SendOtpBySms = described(
  v.object({
    channel: described(v.literal('sms'), describe('Sends the passcode by SMS.')),
    ...sendOtpFields,
    custom_sms_input: described(
      v.optional(v.object(smsFields)),
      describe('Text and sender of the message, instead of the defaults.'),
    ),
    custom_phone_number: described(
      v.optional(identifier),
      describe("Phone number (E.164) to use instead of the user's. It is not verified.", '+12015550123'),
    ),
  }),
  sample('channel', 'identifier_type', 'identifier', 'custom_sms_input', 'expires_in'),
);
export const SendOtpDirect = described(
  v.object({
    channel: described(
      v.literal('direct'),
      describe('Returns the passcode in the answer and sends nothing.'),
    ),
    ...sendOtpFields,
  }),
  sample('channel', 'identifier_type', 'identifier', 'expires_in'),
);

const bodies = {
  email: SendOtpByEmail,
  sms: SendOtpBySms,
  direct: SendOtpDirect,
} as const satisfies Readonly<Record<CodeChannel, unknown>>;

export const SendOtpBody = v.variant('channel', [bodies.email, bodies.sms, bodies.direct]);

export const SendOtpResponse = v.object({
  message: described(v.string(), words.developerMessage('OTP sent')),
  approval_data: approvalDataEcho,
  code: described(v.optional(v.string()), describe('Passcode. Only with channel `direct`.', '482913')),
  request_id: generatedRequestId,
});

export const AuthenticateOtpBody = described(
  v.object({
    passcode: described(passcode, words.typedDigits),
    identifier_type: identifierType,
    identifier: userIdentifier,
    ...authenticateFields,
  }),
  sample('passcode', 'identifier_type', 'identifier', 'resource', 'client_attributes'),
);
