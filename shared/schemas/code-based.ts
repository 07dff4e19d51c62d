import * as v from 'valibot';
import { NONCE_MAX } from '../domain/basis/limits.ts';
import {
  ApprovalData,
  approvalDataEcho,
  ClaimsRequest,
  ClientAttributes,
  EmailContent,
  identifier,
  passcode,
  secret,
  smsFields,
  text,
  uri,
} from './login-fields.ts';
import { maxCharacters } from './max-characters.ts';

const nonce = v.optional(v.pipe(v.string(), maxCharacters(NONCE_MAX)));

/** SPEC C. */
const sendFields = {
  redirect_uri: uri,
  /** Comes back on the redirect, as `nonce` does in the ID token: so that the caller knows its own browser's login. */
  state: v.optional(text),
  nonce,
  create_new_user: v.optional(v.boolean()),
  resource: v.optional(uri),
  require_mfa: v.optional(v.boolean()),
  claims: v.optional(ClaimsRequest),
  client_attributes: v.optional(ClientAttributes),
  org_id: v.optional(identifier),
};

export const SendCodeBasedLinkBody = v.object({
  email: identifier,
  ...sendFields,
  email_content: v.optional(EmailContent),
});

export const SendCodeBasedLinkResponse = v.object({ message: v.string() });

export const SendEmailOtpBody = v.object({
  email: identifier,
  ...sendFields,
  email_content: v.optional(EmailContent),
  approval_data: v.optional(ApprovalData),
});

export const SendSmsOtpBody = v.object({
  phone_number: identifier,
  ...sendFields,
  ...smsFields,
  approval_data: v.optional(ApprovalData),
});

export const SendCodeBasedOtpResponse = v.object({
  message: v.string(),
  approval_data: approvalDataEcho,
});

const validationFields = {
  passcode,
  response_type: v.optional(v.literal('code')),
  nonce,
};

export const ValidateEmailOtpBody = v.object({ email: identifier, ...validationFields });
export const ValidateSmsOtpBody = v.object({ phone_number: identifier, ...validationFields });

/** `result` is the address that the browser goes on to. */
export const ValidateOtpResponse = v.object({ result: v.string() });

/** A credential in the address of a page. */
export const OpenedQuery = v.object({ code: secret, ui_locales: v.optional(text) });

/** What the Continue page brings back. */
export const ContinueForm = v.object({ csrf: v.optional(text) });
