import * as v from 'valibot';
import {
  APPROVAL_DATA_MAX_BYTES,
  APPROVAL_DATA_MAX_KEYS,
  CLAIMS_REQUEST_MAX_BYTES,
  DEVICE_ID_MAX,
  LOGO_BASE64_MAX,
  SMS_CUSTOM_MESSAGE_MAX,
  SMS_SENDER_ID_MAX,
  STATE_MAX_BYTES,
} from '../../domain/basis/limits.ts';
import { describe, described, sample } from './described.ts';
import { maxCharacters } from './max-characters.ts';
import * as words from './words.ts';

// Common fields of the logins in SPEC A and C.

/** Maximum length, in characters, of a text for which SPEC.md sets no limit. */
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
  describe(
    `ID that the caller gives to the user's device. At most ${DEVICE_ID_MAX} characters.`,
    'laptop-7f3a',
  ),
);

export const ClientAttributes = described(
  v.object({
    user_agent: described(
      v.optional(text),
      describe("`User-Agent` header of the user's browser.", 'Mozilla/5.0 (X11; Linux x86_64)'),
    ),
    ip_address: described(
      v.optional(text),
      describe('IPv4 or IPv6 address of the user. Invalid values are ignored.', '198.51.100.7'),
    ),
  }),
  describe('Device of the user, as the caller sees it. Stored with the login, its session and the log.'),
);

/** Boolean as text in a query or form. The domain layer parses the text, because it can send errors to the redirect URI. */
export const flag = v.pipe(v.string(), v.metadata({ type: 'boolean' }));

/** Content of a mail (SPEC "Shared request objects"). */
export const EmailContent = described(
  v.object({
    subject: described(
      v.pipe(text, v.regex(/(?!\s)[!-~\u00a1-\uffff]/, 'must not be blank')),
      describe('Subject line, which must not be blank.', 'Your login at Example Shop'),
    ),
    primaryColor: described(
      v.optional(v.pipe(v.string(), v.regex(/^#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/))),
      describe('Colour of the button, as three or six hexadecimal digits after `#`.', '#0a5cc2'),
    ),
    base64logo: described(
      v.optional(v.pipe(v.string(), maxCharacters(LOGO_BASE64_MAX))),
      describe(
        `Logo as a PNG, JPEG, GIF or WebP image in base64 without a data: prefix, at most ${LOGO_BASE64_MAX} characters.`,
        'R0lGODlhAQABAIAAAP///wAAACwAAAAAAQABAAACAkQBADs=',
      ),
    ),
    headerText: described(v.optional(text), describe('Heading of the mail.', 'Welcome back')),
    bodyText: described(
      v.optional(text),
      describe('Text above the button or passcode.', 'Use this to log in to Example Shop.'),
    ),
    linkText: described(v.optional(text), describe('Text of the button that opens the link.', 'Log in')),
    infoText: described(
      v.optional(text),
      describe('Small print below, instead of the one about expiry.', 'It works once.'),
    ),
    footerText: described(
      v.optional(text),
      describe('Last line of the mail.', 'Example Shop, 1 High Street'),
    ),
    senderName: described(
      v.optional(text),
      describe('Sender name of the mail. The sender address stays ours.', 'Example Shop'),
    ),
  }),
  describe("Texts, logo and colour of the mail. Absent values have a default in the reader's language."),
  sample('subject', 'primaryColor', 'headerText', 'linkText', 'senderName'),
);

/**
 * Text and sender of an SMS. The text contains `{otp}` and `{app}` in any order. A sender ID must contain a letter, because
 * phones would otherwise show it as a phone number.
 */
export const smsFields = {
  custom_message: described(
    v.optional(
      v.pipe(
        v.string(),
        maxCharacters(SMS_CUSTOM_MESSAGE_MAX),
        v.regex(/^(?=[\s\S]*\{otp\})(?=[\s\S]*\{app\})/, 'must contain the placeholders {otp} and {app}'),
      ),
    ),
    describe(
      `Text of the message, at most ${SMS_CUSTOM_MESSAGE_MAX} characters with the placeholders {otp} and {app}.`,
      'Your code for {app} is {otp}',
    ),
  ),
  sender_id: described(
    v.optional(
      v.pipe(
        v.string(),
        maxCharacters(SMS_SENDER_ID_MAX),
        v.regex(/^[ -~\u00a0-\uffff]*$/, 'must not hold control characters'),
      ),
    ),
    describe(
      `Sender that phones show, at most ${SMS_SENDER_ID_MAX} characters. Letters and digits with at least one letter; any other value is ignored, and \`message\` says so.`,
      'ExampleShop',
    ),
  ),
};

/**
 * Data that the user approves. This schema does not parse the data, because the validation library would silently drop a key
 * `__proto__` instead of reporting an error. The domain layer parses the data. The metadata describes its checks in the API
 * document.
 */
export const ApprovalData = v.pipe(
  described(
    v.unknown(),
    describe(
      `Data that the user approves: at most ${APPROVAL_DATA_MAX_KEYS} keys with texts, ${APPROVAL_DATA_MAX_BYTES} bytes as JSON. ` +
        'It is returned in the ID token (with a passkey, only if the backend repeats it when it authenticates) and, if it was signed, in `signing_artifacts`.',
      words.approvalData,
    ),
  ),
  v.metadata({
    type: 'object',
    maxProperties: APPROVAL_DATA_MAX_KEYS,
    propertyNames: { pattern: '^(?!(?:__proto__|constructor|prototype)$)[A-Za-z0-9_.-]+$' },
    additionalProperties: { type: 'string' },
  }),
);

const requestedClaims = v.record(v.string(), v.unknown());

export const ClaimsRequest = described(
  v.object({
    id_token: described(
      v.optional(requestedClaims),
      describe('Claims for the ID token, each `null` or an object of OpenID Connect Core §5.5.1.', {
        email: null,
      }),
    ),
    access_token: described(
      v.optional(requestedClaims),
      describe('Claims for the access token, each `null` or an object of OpenID Connect Core §5.5.1.', {
        roles: { essential: true },
      }),
    ),
  }),
  describe(
    `Additional claims for the tokens (OpenID Connect Core §5.5), at most ${CLAIMS_REQUEST_MAX_BYTES} bytes as JSON. ` +
      'Unknown names are ignored.',
  ),
);

/** Approval data of the request, which the response repeats. */
export const approvalDataEcho = described(
  v.optional(v.record(v.string(), v.string())),
  describe('`approval_data` of the request, if it had any.', words.approvalData),
);

/** Value of `state` that the redirect returns. `requireShortState` checks its exact limit, in bytes after URL encoding. */
export const echoedState = described(
  v.optional(v.pipe(v.string(), maxCharacters(STATE_MAX_BYTES))),
  words.echoedState,
);
export const uiLocales = described(v.optional(text), words.uiLocales);
export const resource = described(v.optional(uri), words.resourceUri);
export const organization = described(v.optional(identifier), words.organizationId);

/** Common fields of operations that authenticate a user. */
export const loginFields = {
  resource,
  claims: v.optional(ClaimsRequest),
  org_id: organization,
  client_attributes: v.optional(ClientAttributes),
  device_id: v.optional(deviceId),
  session_id: described(
    v.optional(secret),
    describe(
      'Active session of the same user, which the login joins as a further factor. Absent: a new session begins.',
      'mB8rQ2xTzK5wYc0VnJ6hLd',
    ),
  ),
};
