import * as v from 'valibot';
import {
  APPROVAL_DATA_MAX_KEYS,
  DEVICE_ID_MAX,
  LOGO_BASE64_MAX,
  SMS_CUSTOM_MESSAGE_MAX,
  SMS_SENDER_ID_MAX,
} from '../domain/basis/limits.ts';
import { described, doc } from './described.ts';
import { maxCharacters } from './max-characters.ts';

/** Fields that the logins of sections A and C have in common. */

/** Longest text that is taken where the specification names no limit. */
const TEXT_MAX = 2048;
const URI_MAX = 2048;
const IDENTIFIER_MAX = 320;
const SECRET_MAX = 512;
const PASSCODE_MAX = 64;

export const text = v.pipe(v.string(), maxCharacters(TEXT_MAX));
export const uri = v.pipe(v.string(), maxCharacters(URI_MAX));
export const secret = v.pipe(v.string(), maxCharacters(SECRET_MAX));
export const identifier = v.pipe(v.string(), v.minLength(1), maxCharacters(IDENTIFIER_MAX));
export const passcode = v.pipe(v.string(), v.minLength(1), maxCharacters(PASSCODE_MAX));
export const deviceId = described(
  v.pipe(v.string(), maxCharacters(DEVICE_ID_MAX)),
  doc(
    `The device that the request comes from, as the caller names it: at most ${DEVICE_ID_MAX} characters.`,
    'laptop-7f3a',
  ),
);

export const ClientAttributes = v.object({
  user_agent: v.optional(text),
  ip_address: v.optional(text),
});

/** A boolean of a query or form. The domain reads it, from where errors go to the redirect URI. */
export const flag = v.pipe(v.string(), v.metadata({ type: 'boolean' }));

/** SPEC "Shared request objects". */
export const EmailContent = v.object({
  subject: v.pipe(text, v.regex(/(?!\s)[!-~\u00a1-\uffff]/, 'must not be blank')),
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
export const smsFields = {
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
};

/**
 * Not parsed here: a validation library drops a key `__proto__` silently, and the caller must get an error. The domain
 * reads it; the metadata describes those checks in the API document.
 */
export const ApprovalData = v.pipe(
  v.unknown(),
  v.metadata({
    type: 'object',
    maxProperties: APPROVAL_DATA_MAX_KEYS,
    propertyNames: { pattern: '^[A-Za-z0-9_.-]+$' },
    additionalProperties: { type: 'string' },
  }),
);

export const ClaimsRequest = v.object({
  id_token: v.optional(v.record(v.string(), v.unknown())),
  access_token: v.optional(v.record(v.string(), v.unknown())),
});

/** The answer repeats what will be approved. */
export const approvalDataEcho = v.optional(v.record(v.string(), v.string()));
