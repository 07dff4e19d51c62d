import * as v from 'valibot';
import {
  CLIENT_ID_MAX,
  EXTERNAL_ID_MAX,
  NAME_MAX,
  PASSKEY_RESULT_MAX,
  WEBAUTHN_CHALLENGE_SECONDS,
} from '../domain/basis/limits.ts';
import { described, doc, sample } from './fields/described.ts';
import { ApprovalData, identifier, loginFields, uri } from './fields/login.ts';
import { maxCharacters } from './fields/max-characters.ts';
import * as words from './fields/words.ts';

/** Passkeys. */

const ID_MAX = 64;
/** 1023 bytes in base64, with its padding. */
const CREDENTIAL_ID_MAX = 1400;

const id = v.pipe(v.string(), v.minLength(1), maxCharacters(ID_MAX));
const name = v.pipe(v.string(), v.minLength(1), maxCharacters(NAME_MAX));
const encodedResult = described(
  v.pipe(v.string(), v.minLength(1), maxCharacters(PASSKEY_RESULT_MAX)),
  words.encodedResult,
);
const date = v.pipe(v.string(), v.isoTimestamp());

/** With a user token the user is its own; a client names one; a page of the application names its client. */
export const StartPasskeyRegistrationBody = v.object({
  client_id: described(
    v.optional(v.pipe(v.string(), v.minLength(1), maxCharacters(CLIENT_ID_MAX))),
    doc(
      'The client of a page that calls without a token, from an origin of the application. It needs `username` too.',
      '2mVxq8bKcR7tYw4ZnLpJ0s',
    ),
  ),
  user_id: described(
    v.optional(id),
    doc(
      'The user to register for. A client must name one; a user token stands for its own.',
      '8Jz0m2K4q7bYxWv1NcRtLg',
    ),
  ),
  username: described(
    v.optional(name),
    doc('The name that the authenticator lists the passkey under.', 'ann@example.com'),
  ),
  display_name: described(v.optional(name), doc('The name that the authenticator shows.', 'Ann Example')),
});

const webauthnSessionId = described(
  v.string(),
  doc('The ID of this ceremony, which goes into `webauthn_encoded_result`.', 'Q4zT7mXb2RkYc9WvN0hLfJ'),
);
const challenge = described(
  v.string(),
  doc(
    `What the authenticator signs, in base64. It counts once, for ${WEBAUTHN_CHALLENGE_SECONDS} seconds.`,
    'Y2hhbGxlbmdl',
  ),
);
const timeout = described(
  v.number(),
  doc('How long the browser waits for the user, in milliseconds.', WEBAUTHN_CHALLENGE_SECONDS * 1000),
);

const credentialType = described(
  v.literal('public-key'),
  doc('The type of credential: always `public-key`.'),
);
const rpId = described(v.string(), doc('The RP ID: the domain that the passkey is for.', 'example.com'));
const userVerification = described(v.literal('required'), doc('The device verifies the user.'));

const credentialList = v.array(
  v.object({
    type: credentialType,
    id: described(v.string(), doc('The ID of the credential, in base64.', 'dGhlLWNyZWRlbnRpYWw=')),
    transports: described(v.optional(v.array(v.string())), words.transports),
  }),
);

/** Binary fields are in standard base64. */
export const StartPasskeyRegistrationResponse = v.object({
  webauthn_session_id: webauthnSessionId,
  credential_creation_options: described(
    v.object({
      rp: described(
        v.object({
          id: rpId,
          name: described(v.string(), doc('The name of the application.', 'Example Shop')),
        }),
        doc('The relying party.'),
      ),
      user: described(
        v.object({
          id: described(v.string(), doc('The user handle, in base64.', 'OEp6MG0ySzRxN2JZ')),
          name: described(v.string(), doc('The name that the passkey is listed under.', 'ann@example.com')),
          displayName: described(v.string(), doc('The name that is shown.', 'Ann Example')),
        }),
        doc('The user, as the authenticator keeps it.'),
      ),
      challenge,
      pubKeyCredParams: described(
        v.array(
          v.object({
            type: credentialType,
            alg: described(v.number(), doc('A COSE algorithm identifier: -7 is ES256.', -7)),
          }),
        ),
        doc('The algorithms that are taken, the best first.'),
      ),
      timeout,
      excludeCredentials: described(
        credentialList,
        doc('The passkeys that the user has already, so that no device gets a second one.'),
      ),
      authenticatorSelection: described(
        v.object({
          residentKey: described(v.literal('required'), doc('The passkey is discoverable.')),
          requireResidentKey: described(v.boolean(), doc('The same for older browsers.', true)),
          userVerification,
        }),
        doc('What the authenticator must do.'),
      ),
      attestation: described(v.literal('none'), doc('No attestation is asked for.')),
    }),
    doc('For `navigator.credentials.create`, once the binary fields are decoded.'),
  ),
});

/** `webauthn_encoded_result`: base64 of JSON `{webauthnSessionId, publicKeyCredential, userAgent}`. */
export const RegisterPasskeyBody = v.object({ webauthn_encoded_result: encodedResult });

export const RegisterPasskeyResponse = v.object({
  credential_id: described(v.string(), words.credentialId),
  user_id: described(v.string(), words.userId),
  user_identifier: described(
    v.string(),
    doc('The `username` that the registration was started with, else the ID of the user.', 'ann@example.com'),
  ),
  external_user_id: described(
    v.optional(v.string()),
    doc('The ID that the user has in a system of yours, if the record has one.', 'customer-4711'),
  ),
});

/** A user that the client knows by an ID of its own, and an address that nothing has proven. */
const externalUser = {
  external_user_id: described(
    v.optional(v.pipe(v.string(), v.minLength(1), maxCharacters(EXTERNAL_ID_MAX))),
    doc(
      `The ID of the user in a system of yours, in the name space of the application. At most ${EXTERNAL_ID_MAX} characters.`,
      'customer-4711',
    ),
  ),
  user_email: described(
    v.optional(identifier),
    doc(
      'The address of a user who is made now; it is stored unproven. Of one who is known: theirs, or a former one.',
      'ann@example.com',
    ),
  ),
};

export const RegisterExternalPasskeyBody = v.object({
  webauthn_encoded_result: encodedResult,
  ...externalUser,
});

export const RegisterExternalPasskeyResponse = v.object({
  ...RegisterPasskeyResponse.entries,
  is_user_created: described(v.boolean(), doc('Whether the user was made with this passkey.', false)),
});

export const HintPasskeyRegistrationBody = v.object({
  webauthn_identifier: described(
    identifier,
    doc('The user: an email address, phone number, username or ID.', 'ann@example.com'),
  ),
  redirect_uri: described(uri, words.redirectUri),
  webauthn_display_name: described(
    v.optional(name),
    doc(`The name that the authenticator shows, at most ${NAME_MAX} characters.`, 'Ann Example'),
  ),
  ...externalUser,
});

export const HintPasskeyRegistrationResponse = v.object({
  register_webauthn_cred_token: described(
    v.string(),
    doc(
      'For `/hosted/passkey/passkey-registration`, in the browser of the user: it counts once, and adds a passkey.',
      'Zt4bWq9LmX2cNv7KyR0dJf',
    ),
  ),
});

export const StartPasskeyLoginBody = v.object({
  client_id: described(v.pipe(v.string(), v.minLength(1), maxCharacters(CLIENT_ID_MAX)), words.clientId),
  username: described(
    v.optional(identifier),
    doc('Whom the caller expects. The options are the same for every user.', 'ann@example.com'),
  ),
  approval_data: v.optional(ApprovalData),
});

/** Binary fields are in standard base64. */
export const StartPasskeyLoginResponse = v.object({
  webauthn_session_id: webauthnSessionId,
  credential_request_options: described(
    v.object({
      challenge,
      rpId,
      timeout,
      allowCredentials: described(
        credentialList,
        doc('The passkeys that may answer; empty: any passkey of this RP ID.', []),
      ),
      userVerification,
    }),
    doc('For `navigator.credentials.get`, once the binary fields are decoded.'),
  ),
});

export const AuthenticatePasskeyBody = described(
  v.object({
    webauthn_encoded_result: encodedResult,
    approval_data: v.optional(ApprovalData),
    ...loginFields,
  }),
  sample('webauthn_encoded_result', 'resource', 'client_attributes'),
);

export const PasskeyRecord = described(
  v.object({
    credential_id: described(v.string(), words.credentialId),
    name: described(v.optional(v.string()), doc('The name that the user gave it.', 'My telephone')),
    rp_id: described(v.string(), doc('The domain that the passkey is for.', 'example.com')),
    aaguid: described(
      v.string(),
      doc(
        'The model of the authenticator, as a UUID; zeros where it does not tell.',
        'adce0002-35bc-c60a-648b-0b25f1f05503',
      ),
    ),
    transports: described(v.array(v.string()), words.transports),
    backup_eligible: described(v.boolean(), doc('Whether the passkey can be on several devices.', true)),
    backed_up: described(v.boolean(), doc('Whether it was, at its last use.', true)),
    created_at: described(date, words.registeredAt),
    last_used_at: described(
      v.optional(date),
      doc('When it last logged its user in, in UTC (RFC 3339).', '2026-02-14T18:05:00.000Z'),
    ),
  }),
  doc('A passkey of a user.'),
);
export type PasskeyRecord = v.InferOutput<typeof PasskeyRecord>;

export const OwnPasskeyPath = v.object({
  credentialId: described(
    v.pipe(v.string(), v.minLength(1), maxCharacters(CREDENTIAL_ID_MAX)),
    doc('The ID of the passkey, in base64 or base64url.', 'dGhlLWNyZWRlbnRpYWw'),
  ),
});
export const PasskeyPath = v.object({
  userId: described(id, words.userId),
  ...OwnPasskeyPath.entries,
});
export const RenamePasskeyBody = v.object({
  name: described(name, words.newName),
});
export const PasskeyResponse = v.object({ result: PasskeyRecord });
export const PasskeyListResponse = v.object({
  result: described(v.array(PasskeyRecord), doc('The passkeys of the user.')),
});

const accountPage = 'https://login.example.com/account?part=passkeys';

/** https://w3c.github.io/webappsec-passkey-endpoints/ */
export const PasskeyEndpointsResponse = v.object({
  enroll: described(v.string(), doc('The page where people make a passkey.', accountPage)),
  manage: described(v.string(), doc('The page where people see and remove their passkeys.', accountPage)),
});

/** WebAuthn L3 §5.11. */
export const RelatedOriginsResponse = v.object({
  origins: described(
    v.array(v.string()),
    doc('Origins of other hosts whose pages may use our RP ID.', ['https://shop.example.com']),
  ),
});

/** For a page of the login: one or the other, by what it is for. Binary fields are in standard base64. */
export const PasskeyOptionsResponse = v.union([StartPasskeyLoginResponse, StartPasskeyRegistrationResponse]);
