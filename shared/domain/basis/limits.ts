/** Every number of the service, named. Durations end in Seconds or Minutes. */

export const SECONDS_PER_MINUTE = 60;
const SECONDS_PER_HOUR = 3600;
export const SECONDS_PER_DAY = 86_400;

/** SPEC "Limits". */
export const DEVICE_ID_MAX = 80;
export const CLIENT_ID_MAX = 150;
export const LOGO_BASE64_MAX = 60_000;
export const APPROVAL_DATA_MAX_KEYS = 10;
export const APPROVAL_DATA_MAX_BYTES = 4096;
export const CLAIMS_REQUEST_MAX_BYTES = 4096;
export const CLAIM_VALUES_MAX = 50;
export const SMS_CUSTOM_MESSAGE_MAX = 140;
export const SMS_SENDER_ID_MAX = 11;
export const BODY_MAX_BYTES = 256 * 1024;

/** One-time codes. NIST SP 800-63B-4 §3.1.3.2 has ten minutes as the ceiling for a code sent out of band. */
export const PASSCODE_DIGITS = 6;
export const PASSCODE_DIGITS_MIN = 4;
export const PASSCODE_DIGITS_MAX = 8;
export const PASSCODE_EXPIRES_MINUTES = 5;
export const PASSCODE_EXPIRES_MINUTES_MAX = 60;
export const PASSCODE_MAX_TRIES = 3;
export const PASSCODE_MAX_TRIES_MAX = 20;
export const PASSCODE_LOCK_MINUTES = 15;
export const PASSCODE_LOCK_MINUTES_MAX = 24 * 60;
/** NIST SP 800-63B-4 §3.2.2: at most 100 consecutive failures. */
export const PASSCODE_MAX_FAILURES = 100;
/** The failure counter is kept this long after the last failure. */
export const PASSCODE_FAILURES_KEPT_SECONDS = 30 * SECONDS_PER_DAY;

export const LINK_EXPIRES_MINUTES = 15;
export const LINK_EXPIRES_MINUTES_MAX = 1440;

/**
 * What is used up stays this long, so that a replay is told from a guess; what is never used, this long after it was made,
 * or until it expires. So a day after a user is erased nothing that names them is left.
 */
export const CONSUMED_KEPT_SECONDS = SECONDS_PER_DAY;
/** What merely expires stays this long, for clocks that disagree. */
export const EXPIRED_KEPT_SECONDS = SECONDS_PER_HOUR;

export const ACCESS_TOKEN_SECONDS = 3600;
export const ID_TOKEN_SECONDS = 3600;
export const CLIENT_TOKEN_SECONDS = 3600;
export const REFRESH_TOKEN_SECONDS = 14 * SECONDS_PER_DAY;
export const REFRESH_FAMILY_SECONDS = 14 * SECONDS_PER_DAY;
export const SESSION_IDLE_SECONDS = 14 * SECONDS_PER_DAY;
export const SESSION_ABSOLUTE_SECONDS = 90 * SECONDS_PER_DAY;
/** NIST SP 800-63B-4 §2.1.3, §2.2.3: time to authenticate anew, as presets of an application. */
export const AAL1_ABSOLUTE_SECONDS = 30 * SECONDS_PER_DAY;
export const AAL2_ABSOLUTE_SECONDS = SECONDS_PER_DAY;
export const AAL2_IDLE_SECONDS = SECONDS_PER_HOUR;
/** What an application may set. */
export const SESSION_SECONDS_MIN = 60;
export const SESSION_SECONDS_MAX = 365 * SECONDS_PER_DAY;
/** Living sessions of one user, looked at after each login; the least recently used end. */
export const SESSIONS_MAX = 100;
/** Living refresh families of one session; the least recently used gives way. */
export const SESSION_FAMILIES_MAX = 16;
/** Endings of families that a session remembers: each need only outlast an exchange that is under way. */
export const ENDED_FAMILIES_MAX = 64;

/** From the act of a person in the browser to the exchange. */
export const AUTHORIZATION_CODE_SECONDS = 60;
export const PUSHED_REQUEST_SECONDS = 60;
/** From the authorization request to its code: long enough to fetch a mail, and another one. */
export const LOGIN_TRANSACTION_SECONDS = 30 * SECONDS_PER_MINUTE;
/** How long a login page takes at least to say that a message is on its way: longer than most messages take to send. */
export const SEND_ANSWER_MILLISECONDS = 600;
/** Tenants at which one browser is logged out at once. */
export const LOGOUT_TENANTS_MAX = 20;
/** A person at a social provider: long enough to find a password there. */
export const UPSTREAM_LOGIN_SECONDS = 10 * SECONDS_PER_MINUTE;
/** All calls to a provider while a browser waits, and one of them. */
export const PROVIDER_MILLISECONDS = 4000;
export const PROVIDER_CALL_MILLISECONDS = 2000;
/** Metadata of a provider may be this old in a container. */
export const PROVIDER_METADATA_SECONDS = SECONDS_PER_HOUR;
export const APPLE_SECRET_SECONDS = SECONDS_PER_MINUTE;
/** An honest client that lost the answer to its refresh may ask again this long. */
export const REFRESH_GRACE_SECONDS = 10;
/** The cookie that tells a browser from another; browsers keep none longer. */
export const BROWSER_COOKIE_SECONDS = 400 * SECONDS_PER_DAY;
/** After its last login a browser is a stranger's again; of more than so many the longest unused give way. */
export const KNOWN_DEVICE_SECONDS = 180 * SECONDS_PER_DAY;
export const KNOWN_DEVICES_MAX = 50;

export const SENDS_PER_MINUTE = 5;
export const SENDS_PER_DAY = 30;
/** Of one kind to one user: an attacker who locks a user's codes again and again fills no mailbox. */
export const NOTICES_PER_DAY = 3;
export const CLIENT_CALLS_PER_MINUTE = 600;
export const ANONYMOUS_CALLS_PER_MINUTE = 60;
/** A fraudster who is paid for SMS owns thousands of consecutive numbers: with country code, so many digits are alike. */
export const SMS_PREFIX_DIGITS = 7;
export const SMS_PER_PREFIX_PER_HOUR = 60;
export const SMS_PER_PREFIX_PER_DAY = 300;
/**
 * Honest people type in most of the codes that they ask for, fraudsters none. Below a volume that tells nothing every code
 * goes out; beyond it a code that was right pays for four, so that from 25 % on a range stays open, and two an hour try
 * whether it heals.
 */
export const SMS_UNVERIFIED_PER_PREFIX = 40;
export const SMS_VERIFIED_PAYS_FOR = 4;
export const SMS_PROBES_PER_HOUR = 2;
/** What a tenant may send, whatever its applications allow: its part of the money. */
export const SMS_PER_TENANT_PER_DAY = 2000;
export const SMS_PER_TENANT_PER_30_DAYS = 20_000;
/** The share for numbers without a user: sign-ups leave the rest to users. */
export const SMS_BUDGET_FOR_STRANGERS = 0.8;
export const MINUTE_SECONDS = SECONDS_PER_MINUTE;
export const HOUR_SECONDS = SECONDS_PER_HOUR;
export const DAY_SECONDS = SECONDS_PER_DAY;
export const THIRTY_DAYS_SECONDS = 30 * SECONDS_PER_DAY;

/** Of what a browser says of itself, so much is noted in the log, in characters. */
export const USER_AGENT_MAX = 512;

/** Configuration records and public keys may be this old in a container. */
export const DIRECTORY_CACHE_SECONDS = 60;
export const DIRECTORY_CACHE_MAX = 1000;
export const PUBLIC_CACHE_SECONDS = 300;
/** Until every verifier and every container has seen a change of the public keys. */
export const KEYS_SEEN_SECONDS = PUBLIC_CACHE_SECONDS + DIRECTORY_CACHE_SECONDS;
/** A key that has signed stays published for its last token's life, and as long as a change takes to be seen. */
export const KEY_KEPT_SECONDS = SECONDS_PER_DAY + KEYS_SEEN_SECONDS;

/** A reservation of an identifier that its user does not have may be replaced after this. */
export const ORPHANED_RESERVATION_SECONDS = 60;
/** An attempt that has not written its user by then gives up: half, for clocks that disagree. */
export const RESERVATION_FILL_SECONDS = ORPHANED_RESERVATION_SECONDS / 2;

/** What is told of a phone number may have been observed this far ahead of our clock. */
export const SIGNAL_SKEW_SECONDS = SECONDS_PER_MINUTE;
export const SIGNAL_REASON_MAX = 64;

/** Limits of a user record, in characters and entries: the largest stays far below the 400 KB of a DynamoDB item. */
export const ADDRESS_MAX = 320;
export const USERNAME_MAX = 128;
export const NAME_MAX = 128;
export const EXTERNAL_ID_MAX = 256;
export const PICTURE_MAX = 2048;
export const LANGUAGE_TAG_MAX = 35;
export const GROUP_MAX = 128;
export const GROUPS_MAX = 100;
export const CUSTOM_IDENTIFIER_MAX = 256;
export const CUSTOM_IDENTIFIERS_MAX = 20;
/** Accounts at social providers of one user. */
export const IDENTITIES_MAX = 20;
export const CUSTOM_DATA_MAX_BYTES = 16 * 1024;
export const CUSTOM_DATA_MAX_DEPTH = 20;
/** How often a change to a record begins again when others change the same record meanwhile. */
export const CHANGE_ATTEMPTS = 10;
/** Hashes of what a user has given up, kept while codes for it may be: erasing finds them. */
export const FORMER_IDENTIFIERS_MAX = 50;
/** The devices that a login is compared with; how long a timeline is kept is a setting of the environment. */
export const TIMELINE_DAYS = 90;
export const SEEN_DEVICE_SECONDS = 400 * SECONDS_PER_DAY;
/** Items that are removed at the same time when a user is erased. */
export const PARALLEL_REMOVALS = 20;

export const RESOURCE_TTL_MIN_SECONDS = 60;
export const RESOURCE_ACCESS_TTL_MAX_SECONDS = SECONDS_PER_DAY;
export const RESOURCE_REFRESH_TTL_MAX_SECONDS = 3650 * SECONDS_PER_DAY;

/** Limits of configuration records, in characters and entries. */
export const URI_MAX = 1024;
/** Of `state` as an address spells it, so that the headers of an answer stay below the 10 KB of the gateway. */
export const STATE_MAX_BYTES = 4096;
/** `nonce` goes into the ID token, which comes back in addresses as a hint. In characters. */
export const NONCE_MAX = 512;
export const DESCRIPTION_MAX = 1024;
export const REDIRECT_URIS_MAX = 100;
export const APPLICATION_RESOURCES_MAX = 100;
export const PERMISSIONS_MAX = 100;
/** Of all roles of an application together: they stand in its record, which DynamoDB ends at 400 KB, and in tokens. */
export const PERMISSIONS_OF_ROLES_MAX = 500;
export const MEMBER_ROLES_MAX = 50;
/** Of an application, of a client, of a user. An item of DynamoDB has room for them, each with as many permissions as there may be. */
export const ROLES_MAX = 20;
/** Event types that a webhook names, and the length of one. */
export const WEBHOOK_EVENTS_MAX = 100;
export const WEBHOOK_EVENT_MAX = 100;
/** The new secret and the one before it: time for every server of the client to change over. */
export const CLIENT_SECRETS_MAX = 2;
export const RATE_LIMIT_MAX = 1_000_000;
/** Public keys of a client. */
export const CLIENT_KEYS_MAX = 10;
export const KEY_ID_MAX = 256;
export const RSA_BITS_MIN = 2048;
export const RSA_BITS_MAX = 8192;

/** Proofs that callers sign: DPoP (RFC 9449) and client assertions (RFC 7523). */
export const PROOF_SKEW_SECONDS = 60;
export const PROOF_ID_MAX = 256;
export const PROOF_MAX = 8192;
export const CLIENT_ASSERTION_SECONDS = 5 * SECONDS_PER_MINUTE;
/** A nonce of ours is good in its window and the next one. */
export const DPOP_NONCE_WINDOW_SECONDS = 5 * SECONDS_PER_MINUTE;

export const LIST_LIMIT = 50;
export const LIST_LIMIT_MAX = 100;
/** Records that one call looks through for those that fit. */
export const LIST_EXAMINED_MAX = 1000;

/** Passkeys and approvals. A challenge lives at most this long (WebAuthn L3 §13.4.3, and what people need for a prompt). */
export const WEBAUTHN_CHALLENGE_SECONDS = 5 * SECONDS_PER_MINUTE;
/** A client's token for the hosted registration, until a browser opens it. */
export const PASSKEY_REGISTRATION_SECONDS = 5 * SECONDS_PER_MINUTE;
export const APPROVAL_SECONDS = 5 * SECONDS_PER_MINUTE;
/** WebAuthn L3 §7.1 step 25. */
export const CREDENTIAL_ID_MAX_BYTES = 1023;
export const PASSKEYS_MAX = 50;
export const DEVICE_KEYS_MAX = 20;
/** Origins of an application, and the longest host name (RFC 1035 §2.3.4). */
export const ORIGINS_MAX = 20;
export const RP_ID_MAX = 253;
/** Hosts beside the RP ID's own: browsers honour five names (WebAuthn L3 §5.11.1). */
export const RELATED_HOSTS_MAX = 5;
