import * as v from 'valibot';
import {
  APPROVAL_DATA_MAX_KEYS,
  DEVICE_ID_MAX,
  LOGO_BASE64_MAX,
  SMS_CUSTOM_MESSAGE_MAX,
  SMS_SENDER_ID_MAX,
} from '../domain/limits.ts';
import { maxCharacters } from './max-characters.ts';

/** Longest text that is taken where the specification names no limit. */
const TEXT_MAX = 2048;
const URI_MAX = 2048;
const IDENTIFIER_MAX = 320;
const SECRET_MAX = 512;

const text = v.pipe(v.string(), maxCharacters(TEXT_MAX));
const uri = v.pipe(v.string(), maxCharacters(URI_MAX));
const secret = v.pipe(v.string(), maxCharacters(SECRET_MAX));
const identifier = v.pipe(v.string(), v.minLength(1), maxCharacters(IDENTIFIER_MAX));
const identifierType = v.pipe(v.string(), v.regex(/^[a-z][a-z0-9_]{0,63}$/));
const deviceId = v.pipe(v.string(), maxCharacters(DEVICE_ID_MAX));
const minutes = v.pipe(v.number(), v.gtValue(0));

const ClientAttributes = v.object({
  user_agent: v.optional(text),
  ip_address: v.optional(text),
});

/** SPEC "Shared request objects". */
const EmailContent = v.object({
  subject: text,
  primaryColor: v.optional(v.pipe(v.string(), v.regex(/^#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/))),
  base64logo: v.optional(v.pipe(v.string(), maxCharacters(LOGO_BASE64_MAX))),
  headerText: v.optional(text),
  bodyText: v.optional(text),
  linkText: v.optional(text),
  infoText: v.optional(text),
  footerText: v.optional(text),
  senderName: v.optional(text),
});

/** The placeholders `{otp}` and `{app}` in any order; a sender ID needs a letter, or phones show it as a number. */
const CustomSmsInput = v.object({
  custom_message: v.optional(
    v.pipe(
      v.string(),
      maxCharacters(SMS_CUSTOM_MESSAGE_MAX),
      v.regex(/^(?=[\s\S]*\{otp\})(?=[\s\S]*\{app\})/, 'must contain the placeholders {otp} and {app}'),
    ),
  ),
  sender_id: v.optional(
    v.pipe(
      v.string(),
      maxCharacters(SMS_SENDER_ID_MAX),
      v.regex(/^(?=.*[A-Za-z])[A-Za-z0-9]+$/, 'must be letters and digits, with at least one letter'),
    ),
  ),
});

/**
 * Taken as it is and read by the domain: a validation library drops a key `__proto__` without a word, and a caller who
 * sends one must be told. The metadata says to the API document what the domain checks.
 */
const ApprovalData = v.pipe(
  v.unknown(),
  v.metadata({
    jsonSchema: {
      type: 'object',
      maxProperties: APPROVAL_DATA_MAX_KEYS,
      propertyNames: { pattern: '^[A-Za-z0-9_.-]+$' },
      additionalProperties: { type: 'string' },
    },
  }),
);

const ClaimsRequest = v.object({
  id_token: v.optional(v.record(v.string(), v.unknown())),
  access_token: v.optional(v.record(v.string(), v.unknown())),
});

export const SendMagicLinkBody = v.object({
  redirect_uri: uri,
  identifier: v.optional(identifier),
  identifier_type: v.optional(identifierType),
  email: v.optional(identifier),
  device_id: v.optional(deviceId),
  email_content: v.optional(EmailContent),
  state: v.optional(text),
  email_expiration: v.optional(minutes),
  channel: v.optional(v.picklist(['email', 'direct'])),
  client_attributes: v.optional(ClientAttributes),
  generate_request_id: v.optional(v.boolean()),
});

export const SendMagicLinkResponse = v.object({
  message: v.string(),
  request_id: v.optional(v.string()),
  link: v.optional(v.string()),
  code: v.optional(v.string()),
});

export const OpenMagicLinkQuery = v.object({
  code: secret,
  ui_locales: v.optional(text),
});

const authenticateFields = {
  resource: v.optional(uri),
  claims: v.optional(ClaimsRequest),
  org_id: v.optional(identifier),
  client_attributes: v.optional(ClientAttributes),
  device_id: v.optional(deviceId),
  session_id: v.optional(secret),
  request_id: v.optional(secret),
};

export const AuthenticateMagicLinkBody = v.object({ code: secret, ...authenticateFields });

const sendOtpFields = {
  identifier_type: identifierType,
  identifier,
  device_id: v.optional(deviceId),
  approval_data: v.optional(ApprovalData),
  client_attributes: v.optional(ClientAttributes),
  expires_in: v.optional(minutes),
  generate_request_id: v.optional(v.boolean()),
};

/** Each channel has fields of its own; those of another channel are ignored like any unknown field. */
export const SendOtpBody = v.variant('channel', [
  v.object({
    channel: v.literal('email'),
    ...sendOtpFields,
    email_content: v.optional(EmailContent),
    custom_email: v.optional(identifier),
  }),
  v.object({
    channel: v.literal('sms'),
    ...sendOtpFields,
    custom_sms_input: v.optional(CustomSmsInput),
    custom_phone_number: v.optional(identifier),
  }),
  v.object({ channel: v.literal('direct'), ...sendOtpFields }),
]);

export const SendOtpResponse = v.object({
  message: v.string(),
  approval_data: v.optional(v.record(v.string(), v.string())),
  code: v.optional(v.string()),
  request_id: v.optional(v.string()),
});

export const AuthenticateOtpBody = v.object({
  passcode: v.pipe(v.string(), v.minLength(1), maxCharacters(64)),
  identifier_type: identifierType,
  identifier,
  ...authenticateFields,
});
