import * as v from 'valibot';
import {
  ApprovalData,
  approvalDataEcho,
  ClaimsRequest,
  ClientAttributes,
  deviceId,
  EmailContent,
  identifier,
  passcode,
  secret,
  smsFields,
  text,
  uri,
} from './login-fields.ts';

const identifierType = v.pipe(v.string(), v.regex(/^[A-Za-z][A-Za-z0-9_]{0,63}$/), v.toLowerCase());
const minutes = v.pipe(v.number(), v.gtValue(0));

export const SendMagicLinkBody = v.object({
  redirect_uri: uri,
  identifier: v.optional(identifier),
  identifier_type: v.optional(identifierType),
  // SPEC A1: in favour of the two.
  email: v.optional(v.pipe(identifier, v.metadata({ deprecated: true }))),
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
export const SendOtpByEmail = v.object({
  channel: v.literal('email'),
  ...sendOtpFields,
  email_content: v.optional(EmailContent),
  custom_email: v.optional(identifier),
});
export const SendOtpBySms = v.object({
  channel: v.literal('sms'),
  ...sendOtpFields,
  custom_sms_input: v.optional(v.object(smsFields)),
  custom_phone_number: v.optional(identifier),
});
export const SendOtpDirect = v.object({ channel: v.literal('direct'), ...sendOtpFields });
export const SendOtpBody = v.variant('channel', [SendOtpByEmail, SendOtpBySms, SendOtpDirect]);

export const SendOtpResponse = v.object({
  message: v.string(),
  approval_data: approvalDataEcho,
  code: v.optional(v.string()),
  request_id: v.optional(v.string()),
});

export const AuthenticateOtpBody = v.object({
  passcode,
  identifier_type: identifierType,
  identifier,
  ...authenticateFields,
});
