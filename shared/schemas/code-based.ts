import * as v from 'valibot';
import { NONCE_MAX } from '../domain/basis/limits.ts';
import { describe, described, sample } from './fields/described.ts';
import {
  ApprovalData,
  approvalDataEcho,
  ClaimsRequest,
  ClientAttributes,
  EmailContent,
  echoedState,
  identifier,
  organization,
  passcode,
  resource,
  secret,
  smsFields,
  text,
  uiLocales,
  uri,
} from './fields/login.ts';
import { maxCharacters } from './fields/max-characters.ts';
import * as words from './fields/words.ts';

const nonce = described(v.optional(v.pipe(v.string(), maxCharacters(NONCE_MAX))), words.tokenNonce);
const email = described(identifier, describe('Email address of the user.', 'ann@example.com'));
const phoneNumber = described(
  identifier,
  describe('Phone number of the user in E.164, with `+` and country code.', '+12015550123'),
);

/** Fields that all operations for sending a link or passcode have in common (SPEC C). */
const sendFields = {
  redirect_uri: described(uri, words.redirectUri),
  /**
   * Value that the redirect returns unchanged, so that the caller can check that the same browser began the login. `nonce` in
   * the ID token serves the same purpose.
   */
  state: echoedState,
  nonce,
  create_new_user: described(v.optional(v.boolean()), words.createNewUser('false')),
  resource,
  require_mfa: described(v.optional(v.boolean()), words.requireMfa),
  claims: v.optional(ClaimsRequest),
  client_attributes: v.optional(ClientAttributes),
  org_id: organization,
};

const shown = ['redirect_uri', 'state', 'nonce', 'create_new_user'];
const message = (example: string) => described(v.string(), words.developerMessage(example));

export const SendCodeBasedLinkBody = described(
  v.object({
    email,
    ...sendFields,
    email_content: v.optional(EmailContent),
  }),
  sample('email', ...shown, 'email_content'),
);

export const SendCodeBasedLinkResponse = v.object({ message: message('Email sent successfully') });

export const SendEmailOtpBody = described(
  v.object({
    email,
    ...sendFields,
    email_content: v.optional(EmailContent),
    approval_data: v.optional(ApprovalData),
  }),
  sample('email', ...shown, 'email_content'),
);

export const SendSmsOtpBody = described(
  v.object({
    phone_number: phoneNumber,
    ...sendFields,
    ...smsFields,
    approval_data: v.optional(ApprovalData),
  }),
  sample('phone_number', ...shown, 'custom_message', 'sender_id'),
);

export const SendCodeBasedOtpResponse = v.object({
  message: message('OTP sent'),
  approval_data: approvalDataEcho,
});

const validationFields = {
  passcode: described(passcode, words.typedDigits),
  response_type: described(v.optional(v.literal('code')), describe('Type of the answer: always `code`.')),
  nonce,
};

export const ValidateEmailOtpBody = v.object({ email, ...validationFields });
export const ValidateSmsOtpBody = v.object({ phone_number: phoneNumber, ...validationFields });

const code = 'qN2xZ8bTf6YhKc0RwLj4Vm';

export const ValidateOtpResponse = v.object({
  result: described(
    v.string(),
    describe(
      "URL to send the user's browser to. It leads to the redirect URI with a code.",
      `https://login.example.com/cis/v1/auth/resume?code=${code}`,
    ),
  ),
});

/** Query of a page whose URL contains a link code or authorization code. */
export const OpenedQuery = v.object({
  code: described(secret, describe('Code of the link or of the validated passcode.', code)),
  ui_locales: uiLocales,
});

/** Form of the Continue page. Its CSRF token proves that this browser received the page. */
export const ContinueForm = v.object({ csrf: described(v.optional(text), words.csrf) });
