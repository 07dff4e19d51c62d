import * as v from 'valibot';
import {
  CLIENT_ID_MAX,
  EXTERNAL_ID_MAX,
  NAME_MAX,
  PASSKEY_RESULT_MAX,
  WEBAUTHN_CHALLENGE_SECONDS,
} from '../domain/basis/limits.ts';
import { describe, described, sample } from './fields/described.ts';
import { ApprovalData, identifier, loginFields, uri } from './fields/login.ts';
import { maxCharacters } from './fields/max-characters.ts';
import * as words from './fields/words.ts';

const ID_MAX = 64;
/**
 * Maximum length of a credential ID in characters. A credential ID has at most 1,023 bytes (WebAuthn, "Credential ID"), which
 * are 1,364 characters in base64; the limit is rounded up.
 */
const CREDENTIAL_ID_MAX = 1400;

const id = v.pipe(v.string(), v.minLength(1), maxCharacters(ID_MAX));
const name = v.pipe(v.string(), v.minLength(1), maxCharacters(NAME_MAX));
const encodedResult = described(
  v.pipe(v.string(), v.minLength(1), maxCharacters(PASSKEY_RESULT_MAX)),
  words.encodedResult,
);
const date = v.pipe(v.string(), v.isoTimestamp());

/**
 * Request that starts the registration of a passkey. A call with a user's token registers a passkey for this user. A client's
 * request contains the user's ID, and a request from a page of the application contains the client's ID.
 */
export const StartPasskeyRegistrationBody = v.object({
  client_id: described(
    v.optional(v.pipe(v.string(), v.minLength(1), maxCharacters(CLIENT_ID_MAX))),
    describe(
      'Client of a page that calls without a token, from an origin of the application. Such a call requires `username`, too.',
      '2mVxq8bKcR7tYw4ZnLpJ0s',
    ),
  ),
  user_id: described(
    v.optional(id),
    describe(
      'ID of the user to register the passkey for. Required for clients; a user token stands for its user.',
      '8Jz0m2K4q7bYxWv1NcRtLg',
    ),
  ),
  username: described(
    v.optional(name),
    describe('Name under which the authenticator lists the passkey.', 'ann@example.com'),
  ),
  display_name: described(v.optional(name), describe('Name that the authenticator shows.', 'Ann Example')),
});

const webauthnSessionId = described(
  v.string(),
  describe('ID of this ceremony, to be included in `webauthn_encoded_result`.', 'Q4zT7mXb2RkYc9WvN0hLfJ'),
);
const challenge = described(
  v.string(),
  describe(
    `Challenge that the authenticator signs, in base64. It is valid once, for ${WEBAUTHN_CHALLENGE_SECONDS} seconds.`,
    'Y2hhbGxlbmdl',
  ),
);
const timeout = described(
  v.number(),
  describe('Milliseconds that the browser waits for the user.', WEBAUTHN_CHALLENGE_SECONDS * 1000),
);

const credentialType = described(v.literal('public-key'), describe('Credential type: always `public-key`.'));
const rpId = described(v.string(), describe('RP ID: the domain that the passkey is for.', 'example.com'));
const userVerification = described(
  v.literal('required'),
  describe('Requires the device to verify the user.'),
);

const credentialList = v.array(
  v.object({
    type: credentialType,
    id: described(v.string(), describe('ID of the credential in base64.', 'dGhlLWNyZWRlbnRpYWw=')),
    transports: described(v.optional(v.array(v.string())), words.transports),
  }),
);

/** Response with the options of a registration. Binary fields are in standard base64. */
export const StartPasskeyRegistrationResponse = v.object({
  webauthn_session_id: webauthnSessionId,
  credential_creation_options: described(
    v.object({
      rp: described(
        v.object({
          id: rpId,
          name: described(v.string(), describe('Name of the application.', 'Example Shop')),
        }),
        describe('Relying party of the passkey.'),
      ),
      user: described(
        v.object({
          id: described(v.string(), describe('User handle in base64.', 'OEp6MG0ySzRxN2JZ')),
          name: described(v.string(), describe('Name under which the passkey is listed.', 'ann@example.com')),
          displayName: described(v.string(), describe('Name that is shown.', 'Ann Example')),
        }),
        describe('User, as the authenticator stores it.'),
      ),
      challenge,
      pubKeyCredParams: described(
        v.array(
          v.object({
            type: credentialType,
            alg: described(v.number(), describe('COSE algorithm identifier: -7 is ES256.', -7)),
          }),
        ),
        describe('Accepted algorithms, preferred first.'),
      ),
      timeout,
      excludeCredentials: described(
        credentialList,
        describe('Existing passkeys of the user, so that no device gets a second one.'),
      ),
      authenticatorSelection: described(
        v.object({
          residentKey: described(v.literal('required'), describe('Requires a discoverable passkey.')),
          requireResidentKey: described(
            v.boolean(),
            describe('Requires a discoverable passkey, for older browsers.', true),
          ),
          userVerification,
        }),
        describe('Requirements for the authenticator.'),
      ),
      attestation: described(v.literal('none'), describe('No attestation is requested.')),
    }),
    describe('Options for `navigator.credentials.create`, after decoding the binary fields.'),
  ),
});

/**
 * Request with the result of a registration. `webauthn_encoded_result` is base64 of JSON `{webauthnSessionId,
 * publicKeyCredential, userAgent}`.
 */
export const RegisterPasskeyBody = v.object({ webauthn_encoded_result: encodedResult });

export const RegisterPasskeyResponse = v.object({
  credential_id: described(v.string(), words.credentialId),
  user_id: described(v.string(), words.userId),
  user_identifier: described(
    v.string(),
    describe(
      '`username` from the start of the registration, otherwise the ID of the user.',
      'ann@example.com',
    ),
  ),
  external_user_id: described(
    v.optional(v.string()),
    describe('ID of the user in your own system, if the record contains one.', 'customer-4711'),
  ),
});

/** Fields that identify a user by the ID in the client's own system and by an unproven address. */
const externalUser = {
  external_user_id: described(
    v.optional(v.pipe(v.string(), v.minLength(1), maxCharacters(EXTERNAL_ID_MAX))),
    describe(
      `ID of the user in your own system, in the name space of the application. At most ${EXTERNAL_ID_MAX} characters.`,
      'customer-4711',
    ),
  ),
  user_email: described(
    v.optional(identifier),
    describe(
      "Email address of a user who is created now; it is stored as unproven. For a known user: the user's current or a former address.",
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
  is_user_created: described(v.boolean(), describe('Whether the user was created with this passkey.', false)),
});

export const HintPasskeyRegistrationBody = v.object({
  webauthn_identifier: described(
    identifier,
    describe('Identifier of the user: an email address, phone number, username or ID.', 'ann@example.com'),
  ),
  redirect_uri: described(uri, words.redirectUri),
  webauthn_display_name: described(
    v.optional(name),
    describe(`Name that the authenticator shows, at most ${NAME_MAX} characters.`, 'Ann Example'),
  ),
  ...externalUser,
});

export const HintPasskeyRegistrationResponse = v.object({
  register_webauthn_cred_token: described(
    v.string(),
    describe(
      "Token for `/hosted/passkey/passkey-registration` in the user's browser. It is valid once and adds a passkey.",
      'Zt4bWq9LmX2cNv7KyR0dJf',
    ),
  ),
});

export const StartPasskeyLoginBody = v.object({
  client_id: described(v.pipe(v.string(), v.minLength(1), maxCharacters(CLIENT_ID_MAX)), words.clientId),
  username: described(
    v.optional(identifier),
    describe('User whom the caller expects. The options are the same for every user.', 'ann@example.com'),
  ),
  approval_data: v.optional(ApprovalData),
});

/** Response with the options of a login. Binary fields are in standard base64. */
export const StartPasskeyLoginResponse = v.object({
  webauthn_session_id: webauthnSessionId,
  credential_request_options: described(
    v.object({
      challenge,
      rpId,
      timeout,
      allowCredentials: described(
        credentialList,
        describe('Allowed passkeys. Empty: any of this RP ID.', []),
      ),
      userVerification,
    }),
    describe('Options for `navigator.credentials.get`, after decoding the binary fields.'),
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
    name: described(v.optional(v.string()), describe('Name that the user gave the passkey.', 'My telephone')),
    rp_id: described(v.string(), describe('RP ID: the domain that the passkey is for.', 'example.com')),
    aaguid: described(
      v.string(),
      describe(
        'Model of the authenticator (UUID). Zeros if unknown.',
        'adce0002-35bc-c60a-648b-0b25f1f05503',
      ),
    ),
    transports: described(v.array(v.string()), words.transports),
    backup_eligible: described(
      v.boolean(),
      describe('Whether the passkey can be backed up or synchronised to other devices.', true),
    ),
    backed_up: described(v.boolean(), describe('Whether the passkey was backed up at its last use.', true)),
    created_at: described(date, words.registeredAt),
    last_used_at: described(
      v.optional(date),
      describe('Time of the last login with it (RFC 3339, UTC).', '2026-02-14T18:05:00.000Z'),
    ),
  }),
  describe('A passkey of a user.'),
);
export type PasskeyRecord = v.InferOutput<typeof PasskeyRecord>;

export const OwnPasskeyPath = v.object({
  credentialId: described(
    v.pipe(v.string(), v.minLength(1), maxCharacters(CREDENTIAL_ID_MAX)),
    describe('ID of the passkey in base64 or base64url.', 'dGhlLWNyZWRlbnRpYWw'),
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
  result: described(v.array(PasskeyRecord), describe('Passkeys of the user.')),
});

const accountPage = 'https://login.example.com/account?part=passkeys';

/** Response with the URLs of the pages on which users manage passkeys (https://w3c.github.io/webappsec-passkey-endpoints/). */
export const PasskeyEndpointsResponse = v.object({
  enroll: v.optional(described(v.string(), describe('Page where users create a passkey.', accountPage))),
  manage: v.optional(
    described(v.string(), describe('Page where users see and remove their passkeys.', accountPage)),
  ),
});

/** Response with the origins that may use the RP ID of the login pages (WebAuthn L3 §5.11). */
export const RelatedOriginsResponse = v.object({
  origins: described(
    v.array(v.string()),
    describe('Origins of other hosts whose pages may use our RP ID.', ['https://shop.example.com']),
  ),
});

/** Digital Asset Links file of the login host (https://developers.google.com/digital-asset-links/v1/statements). */
export const AssetLinksResponse = v.array(
  v.object({
    relation: described(
      v.array(v.string()),
      describe('Permission of the app: to share credentials or to open the URLs of the host.', [
        'delegate_permission/common.get_login_creds',
      ]),
    ),
    target: described(
      v.object({
        namespace: described(v.literal('android_app'), describe('Type of the target.', 'android_app')),
        package_name: described(v.string(), describe('Package name of the app.', 'com.example.shop')),
        sha256_cert_fingerprints: described(
          v.array(v.string()),
          describe('SHA-256 fingerprint of a certificate that signs the app.', [
            '14:6D:E9:83:C5:73:06:50:D8:EE:B9:95:2F:34:FC:64:16:A0:83:42:E6:1D:BE:A8:8A:04:96:B2:3F:CF:44:E5',
          ]),
        ),
      }),
      describe('App with one of its certificates.'),
    ),
  }),
);

const appIds = described(
  v.array(v.string()),
  describe('App IDs: `<team ID>.<bundle ID>`.', ['ABCDE12345.com.example.shop']),
);

/** Associated domain file (https://developer.apple.com/documentation/xcode/supporting-associated-domains). */
export const AppSiteAssociationResponse = v.object({
  webcredentials: described(
    v.object({ apps: appIds }),
    describe('Apps that may use the passkeys of the host.'),
  ),
  applinks: v.optional(
    described(
      v.object({
        details: described(
          v.array(
            v.object({
              appIDs: appIds,
              components: described(
                v.array(
                  v.object({
                    '/': described(v.string(), describe('Path of the links.', '/v1/auth/link/email/open')),
                  }),
                ),
                describe('Patterns of the links that the apps may open.'),
              ),
            }),
          ),
          describe('Entry for the application that sends magic links.'),
        ),
      }),
      describe('Apps that may open magic links. Absent unless one application sends all links of the host.'),
    ),
  ),
});

/** Options of a login or a registration, for a hosted login page. Binary fields are in standard base64. */
export const PasskeyOptionsResponse = v.union([StartPasskeyLoginResponse, StartPasskeyRegistrationResponse]);
