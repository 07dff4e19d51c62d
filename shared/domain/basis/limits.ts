/** Every number of the service, named. Durations end in Seconds or Minutes. */

export const SECONDS_PER_MINUTE = 60;
export const SECONDS_PER_HOUR = 3600;
export const SECONDS_PER_DAY = 86_400;

/** SPEC "Limits". */
export const DEVICE_ID_MAX = 80;
export const CLIENT_ID_MAX = 150;
/** IDs of sessions have 51 characters; what is longer must not become the key of an item. */
export const SESSION_ID_MAX = 128;
/** Texts of an application on its pages, in characters. */
export const BRAND_TITLE_MAX = 60;
export const BRAND_TEXT_MAX = 300;
/** In CSS pixels. */
export const CORNER_RADIUS_MAX = 24;
export const LINK_HOSTS_MAX = 20;
export const LOGO_BASE64_MAX = 60_000;
/** A result of an authenticator with an attestation is some KB; what is longer is none. */
export const PASSKEY_RESULT_MAX = 60_000;
export const APPROVAL_DATA_MAX_KEYS = 10;
export const APPROVAL_DATA_MAX_BYTES = 4096;
export const CLAIMS_REQUEST_MAX_BYTES = 4096;
export const CLAIM_VALUES_MAX = 50;
export const SMS_CUSTOM_MESSAGE_MAX = 140;
export const SMS_SENDER_ID_MAX = 11;
export const BODY_MAX_BYTES = 256 * 1024;
/** CloudFront takes no longer URL ("Request and response behavior for custom origins"). */
export const URL_MAX_BYTES = 8192;
/** Of the request line with all headers: CloudFront takes no more (the same page). */
export const REQUEST_MAX_BYTES = 20_480;
/** An HTTP API takes no more ("Quotas for configuring and running an HTTP API in API Gateway"). */
export const REQUEST_HEAD_MAX_BYTES = 10_240;

/** One-time codes. NIST SP 800-63B-4 §3.1.3.2: an out-of-band code lives at most ten minutes. */
export const PASSCODE_DIGITS = 6;
export const PASSCODE_DIGITS_MIN = 4;
export const PASSCODE_DIGITS_MAX = 8;
/** A person may paste the whole message. */
export const PASTED_CODE_MAX = 1000;
export const PASSCODE_EXPIRES_MINUTES = 5;
export const PASSCODE_EXPIRES_MINUTES_MAX = 60;
export const PASSCODE_MAX_TRIES = 3;
export const PASSCODE_MAX_TRIES_MAX = 20;
export const PASSCODE_LOCK_MINUTES = 15;
export const PASSCODE_LOCK_MINUTES_MAX = 24 * 60;
/** NIST SP 800-63B-4 §3.2.2: at most 100 consecutive failures. */
export const PASSCODE_MAX_FAILURES = 100;
/** The lifetime of the failure counter after the last failure. */
export const PASSCODE_FAILURES_KEPT_SECONDS = 30 * SECONDS_PER_DAY;

export const LINK_EXPIRES_MINUTES = 15;
export const LINK_EXPIRES_MINUTES_MAX = 1440;

/**
 * Used records stay this long, to tell a replay from a guess; unused ones stay this long or until they expire. A day after a
 * user's erasure no record names the user.
 */
export const CONSUMED_KEPT_SECONDS = SECONDS_PER_DAY;
/** Expired records stay this long, for clock differences. */
export const EXPIRED_KEPT_SECONDS = SECONDS_PER_HOUR;

export const ACCESS_TOKEN_SECONDS = 3600;
export const ID_TOKEN_SECONDS = 3600;
/** OpenID Connect Back-Channel Logout 1.0 §2.4: at most two minutes. */
export const LOGOUT_TOKEN_SECONDS = 120;
export const CLIENT_TOKEN_SECONDS = 3600;
export const REFRESH_TOKEN_SECONDS = 14 * SECONDS_PER_DAY;
export const REFRESH_FAMILY_SECONDS = 14 * SECONDS_PER_DAY;
export const SESSION_IDLE_SECONDS = 14 * SECONDS_PER_DAY;
export const SESSION_ABSOLUTE_SECONDS = 90 * SECONDS_PER_DAY;
/** NIST SP 800-63B-4 §2.1.3, §2.2.3: time to authenticate anew, as presets of an application. */
export const AAL1_ABSOLUTE_SECONDS = 30 * SECONDS_PER_DAY;
export const AAL2_ABSOLUTE_SECONDS = SECONDS_PER_DAY;
export const AAL2_IDLE_SECONDS = SECONDS_PER_HOUR;
/** ASVS 7.5.1: how old a login may be that binds or removes a credential; the range of an application's setting. */
export const BINDING_MAX_AGE_SECONDS = 10 * SECONDS_PER_MINUTE;
export const BINDING_MAX_AGE_SECONDS_MIN = 60;
export const BINDING_MAX_AGE_SECONDS_MAX = SECONDS_PER_HOUR;
/** The range of an application's setting. */
export const SESSION_SECONDS_MIN = 60;
export const SESSION_SECONDS_MAX = 365 * SECONDS_PER_DAY;
/** Living sessions of one user. The check after each login ends the least recently used. */
export const SESSIONS_MAX = 100;
/** Sessions that are over, in the partition of those that live; TTL deletes them days later. */
export const ENDED_SESSIONS_MAX = 100;
/** A session that is over cannot begin again: it stays for longer than a code or a repeated write that begins it. */
export const ENDED_SESSION_SECONDS = 5 * SECONDS_PER_MINUTE;
/** Living refresh families of one session. A new one replaces the least recently used. */
export const SESSION_FAMILIES_MAX = 16;
/** Ended families that a session remembers: each must outlast a running exchange only. */
export const ENDED_FAMILIES_MAX = 64;

/** From the user's action in the browser to the exchange. */
export const AUTHORIZATION_CODE_SECONDS = 60;
export const PUSHED_REQUEST_SECONDS = 60;
/** From the authorization request to its code: time to fetch two mails. */
export const LOGIN_TRANSACTION_SECONDS = 30 * SECONDS_PER_MINUTE;
/** The minimum time of the answer that a message was sent: most sends are faster. */
export const SEND_ANSWER_MILLISECONDS = 600;
/** Tenants that one request logs a browser out of. With more clients its page names the tenants alone. */
export const LOGIN_COOKIES_MAX = 20;
/** The time of a user at a social provider, which includes a password reset. */
export const UPSTREAM_LOGIN_SECONDS = 10 * SECONDS_PER_MINUTE;
/** The time of all calls to a provider in one request, and of one call. */
export const PROVIDER_MILLISECONDS = 4000;
export const PROVIDER_CALL_MILLISECONDS = 2000;
/** The maximum age of a provider's metadata in a container. */
export const PROVIDER_METADATA_SECONDS = SECONDS_PER_HOUR;
/** How far the clock of a provider may be behind when its ID token says that a login is fresh. */
export const PROVIDER_SKEW_SECONDS = 60;
export const APPLE_SECRET_SECONDS = SECONDS_PER_MINUTE;
/** A client that lost the answer to a refresh may repeat it this long. */
export const REFRESH_GRACE_SECONDS = 10;
/** Where an application lets public clients repeat one later. */
export const REFRESH_REUSE_SECONDS_MAX = 10 * SECONDS_PER_MINUTE;
/** How long an application may take sessions of a former system, and how old an ID token of it may be. */
export const MOVING_SECONDS_MAX = 90 * SECONDS_PER_DAY;
export const FORMER_TOKEN_SECONDS = 10 * SECONDS_PER_MINUTE;
/** The cookie that identifies a browser: the longest life that browsers allow. */
export const BROWSER_COOKIE_SECONDS = 400 * SECONDS_PER_DAY;
/** How long a browser offers no passkey after "Not now", and how many users' answers its cookie keeps. */
export const PASSKEY_OFFER_AGAIN_SECONDS = 30 * SECONDS_PER_DAY;
export const PASSKEY_ANSWERS_MAX = 8;
/** A known browser is forgotten this long after its last login; a new one replaces the longest unused. */
export const KNOWN_DEVICE_SECONDS = 180 * SECONDS_PER_DAY;
export const KNOWN_DEVICES_MAX = 50;

export const SENDS_PER_MINUTE = 5;
export const SENDS_PER_DAY = 30;
/** Share of them for browsers on our pages that the user has not logged in from. */
export const SENDS_OF_STRANGERS = 2 / 3;
/** A day's share of one network, and of strangers' part what one has in a shorter time: two networks leave some to a third. */
export const SENDS_OF_NETWORK = 1 / 3;
export const STRANGERS_OF_NETWORK = 1 / 4;
export const STRANGER_WINDOW_SECONDS = 6 * SECONDS_PER_HOUR;
/** Share of a user's sends that browsers known to the user have on top. */
export const SENDS_RESERVE = 1 / 2;
/** Of one kind to one user: an attacker who locks a user's codes again and again fills no mailbox. */
export const NOTICES_PER_DAY = 3;
export const CLIENT_CALLS_PER_MINUTE = 600;
/** Calls without a token or secret: from one network in a container, and from one address by the web ACL. */
export const ANONYMOUS_CALLS_PER_MINUTE = 2000;
export const ANONYMOUS_CALLS_PER_5_MINUTES = 5 * ANONYMOUS_CALLS_PER_MINUTE;
/** Failed authentications of clients of a tenant, from one network. Right secrets pass however many there were. */
export const CLIENT_FAILURES_PER_MINUTE = 60;
export const CLIENT_FAILURES_PER_HOUR = 600;
/** Messages that one network asks for; of these, to addresses without a user. */
export const ANONYMOUS_SENDS_PER_MINUTE = 300;
export const ANONYMOUS_SENDS_PER_DAY = 3000;
export const ANONYMOUS_SIGN_UPS_PER_MINUTE = 100;
/** A fraudster who is paid for SMS owns thousands of consecutive numbers: with country code, so many digits are alike. */
export const SMS_PREFIX_DIGITS = 7;
export const SMS_PER_PREFIX_PER_HOUR = 60;
export const SMS_PER_PREFIX_PER_DAY = 300;
/**
 * Users type in most of their codes, fraudsters none. Below this volume every code goes out. Above it each used code pays
 * for four, which keeps a range with 25 % of used codes open; two probes an hour test whether a closed range recovers.
 */
export const SMS_UNVERIFIED_PER_PREFIX = 40;
export const SMS_VERIFIED_PAYS_FOR = 4;
export const SMS_PROBES_PER_HOUR = 2;
/** The SMS budget of a tenant, over all applications. */
export const SMS_PER_TENANT_PER_DAY = 2000;
export const SMS_PER_TENANT_PER_30_DAYS = 20_000;
/** The share for numbers without a user: sign-ups leave the rest to users. */
export const SMS_BUDGET_FOR_STRANGERS = 0.8;
export const MINUTE_SECONDS = SECONDS_PER_MINUTE;
export const HOUR_SECONDS = SECONDS_PER_HOUR;
export const DAY_SECONDS = SECONDS_PER_DAY;
export const THIRTY_DAYS_SECONDS = 30 * SECONDS_PER_DAY;

/** Characters of a user agent in the log. */
export const USER_AGENT_MAX = 512;

/** The maximum age of configuration records and public keys in a container. */
export const DIRECTORY_CACHE_SECONDS = 60;
export const DIRECTORY_CACHE_MAX = 1000;
export const PUBLIC_CACHE_SECONDS = 300;
/** The time until every verifier and every container has seen a change of the public keys. */
export const KEYS_SEEN_SECONDS = PUBLIC_CACHE_SECONDS + DIRECTORY_CACHE_SECONDS;
/** A former signing key stays published for the life of its last token, plus the time until every cache has a change. */
export const KEY_KEPT_SECONDS = SECONDS_PER_DAY + KEYS_SEEN_SECONDS;

/** The age at which another user may replace a reservation that its user does not have. */
export const ORPHANED_RESERVATION_SECONDS = 60;
/** An attempt gives up when its user is not written by then: half the time, for clock differences. */
export const RESERVATION_FILL_SECONDS = ORPHANED_RESERVATION_SECONDS / 2;

/** A resource URI that its tenant gave up is kept from other tenants, so that old tokens and old APIs meet no new owner. */
export const URI_HELD_SECONDS = 90 * SECONDS_PER_DAY;

/** A signal about a phone number may be this far ahead of the service's clock. */
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
/** Attempts at a change of a record under concurrent changes. */
export const CHANGE_ATTEMPTS = 10;
/** A user without their second factor waits so long; the range of a tenant's setting. */
export const RECOVERY_DELAY_HOURS = 24;
export const RECOVERY_DELAY_HOURS_MAX = 720;
/** How long a user without their second factor may bind another one after the delay. */
export const RECOVERY_SECONDS = 3 * SECONDS_PER_DAY;
/** A user who has deleted their own account can undo it for so long. */
export const ERASURE_DELAY_SECONDS = 7 * SECONDS_PER_DAY;
/** Applications of a tenant: work on all codes of a user looks into each. At most those that one query of keys can count. */
export const APPLICATIONS = 1000;
export const APPLICATIONS_MAX = 5000;
/** How often jobs that are due are looked for. */
export const JOBS_MINUTES = 5;
/** How long such a run begins more, and how many jobs it does at once: far more than 100,000 erasures a day. */
export const JOBS_SECONDS = 10;
export const JOBS_AT_ONCE = 20;
/** How long a request goes on with its own job; and when the worker may take that up. */
export const JOB_CALL_SECONDS = 3;
export const JOB_LEAD_SECONDS = 60;
/** Each is told at every address: an attacker with one mailbox fills no other. */
export const RECOVERIES_PER_DAY = 1;
/** Hashes of a user's former identifiers, kept while codes for them may exist, for an erasure. */
export const FORMER_IDENTIFIERS_MAX = 50;
/** A proven address that was given up is told, and remembered for so long. */
export const FORMER_ADDRESS_SECONDS = 7 * SECONDS_PER_DAY;
/** Of each kind of one user. Each was proven, so few changes make many. */
export const FORMER_ADDRESSES_MAX = 20;
/** Hashes of email addresses that a user has given up, for good; the newest stay. */
export const FORMER_EMAILS_MAX = 100;
/** Two applications of a user are as many as more: their clients may not change what logs in. */
export const APPLICATIONS_NOTED = 2;
export const APPLICATIONS_NAMED_MAX = 20;
/** The lifetime of known devices. The environment sets the lifetime of timelines. */
export const TIMELINE_DAYS = 90;
export const MESSAGES_KEPT_SECONDS = 30 * SECONDS_PER_DAY;
/** What management has changed. */
export const CHANGES_KEPT_SECONDS = 400 * SECONDS_PER_DAY;
/** Logins and messages by the hour. */
export const STATISTICS_KEPT_SECONDS = 90 * SECONDS_PER_DAY;
export const STATISTICS_HOURS = 7 * 24;
export const STATISTICS_HOURS_MAX = 90 * 24;
/** What is counted together: hours of half and quarter time zones are made of it. */
export const QUARTER_SECONDS = 15 * SECONDS_PER_MINUTE;
/** DynamoDB writes one item 1,000 times a second at most. */
export const STATISTICS_SHARDS = 8;
/** A text is found by its ID for so long: networks tell what became of it for 72 hours at most. */
export const SENT_TEXT_KEPT_SECONDS = 4 * SECONDS_PER_DAY;
/** Since the last attempt. */
export const WEBHOOK_DELIVERIES_KEPT_SECONDS = 7 * SECONDS_PER_DAY;
/** Attempts of a delivery that are kept; who sends it again makes more. */
export const WEBHOOK_DELIVERY_ATTEMPTS_MAX = 100;
export const SEEN_DEVICE_SECONDS = 400 * SECONDS_PER_DAY;
/** Devices of a user by which a new one is told. All are read with each login. */
export const SEEN_DEVICES_MAX = 100;
/** Items that background work writes or deletes in parallel. */
export const PARALLEL_WRITES = 20;

/** Shortest lifetime that is a setting: a good second. DynamoDB holds no number as small as a caller can write. */
export const MINUTES_MIN = 0.02;
/** A token that lives no second is refused everywhere, and nothing would tell why. */
export const RESOURCE_TTL_MIN_SECONDS = 1;
/** APIs that verify offline take a token until its end, so this is how long a thief keeps it after a logout. */
export const RESOURCE_ACCESS_TTL_MAX_SECONDS = SECONDS_PER_DAY;
/** A forgotten token must end one day; later dates overflow nothing, but help no one. */
export const RESOURCE_REFRESH_TTL_MAX_SECONDS = 3650 * SECONDS_PER_DAY;

/** Limits of configuration records, in characters and entries. */
export const URI_MAX = 1024;
/** A `state` with URL escapes: the gateway allows headers of 10 KB. */
export const STATE_MAX_BYTES = 4096;
/** Characters of `nonce`: it is in the ID token, which returns in addresses as a hint. */
export const NONCE_MAX = 512;
export const DESCRIPTION_MAX = 1024;
export const REDIRECT_URIS_MAX = 100;
export const APPLICATION_RESOURCES_MAX = 100;
/** Directories of a provider whose accounts may log in to an application. */
export const DIRECTORIES_MAX = 50;
/** A token may hold all scopes of a resource. */
export const RESOURCE_SCOPES_MAX = 20;
/** Clients by document: draft-ietf-oauth-client-id-metadata-document-02 §5.2, §8.7. */
export const DOCUMENT_HOSTS_MAX = 50;
export const DOCUMENT_BYTES_MAX = 5 * 1024;
export const DOCUMENT_REDIRECT_URIS_MAX = 20;
export const DOCUMENT_MILLISECONDS = 3000;
export const DOCUMENT_SECONDS_MIN = 5 * SECONDS_PER_MINUTE;
export const DOCUMENT_SECONDS_MAX = SECONDS_PER_DAY;
export const DOCUMENT_REFUSAL_SECONDS = SECONDS_PER_MINUTE;
/** Documents that are not known yet, in a minute. */
export const DOCUMENTS_OF_NETWORK = 10;
export const DOCUMENTS_OF_HOST = 30;
export const DOCUMENTS_OF_APPLICATION = 100;
/** How long a consent is remembered; no token of it lives longer. */
export const CONSENT_SECONDS = 90 * SECONDS_PER_DAY;
export const SCOPE_SENTENCE_MAX = 200;
export const PERMISSIONS_MAX = 100;
/** Permissions of all roles of an application: its record has at most 400 KB in DynamoDB, and tokens hold them. */
export const PERMISSIONS_OF_ROLES_MAX = 500;
export const MEMBER_ROLES_MAX = 50;
/** Roles of an application, a client or a user: an item of DynamoDB holds that many with all permissions. */
export const ROLES_MAX = 20;
/** Event types of a webhook, and characters of one. */
export const WEBHOOK_EVENTS_MAX = 100;
export const WEBHOOK_EVENT_MAX = 100;
/** The new and the former secret, while the client's servers change over. */
export const CLIENT_SECRETS_MAX = 2;
/** Revoked tokens and secrets of a client that its record keeps. */
export const CLIENT_REVOCATIONS_MAX = 100;
export const RATE_LIMIT_MAX = 1_000_000;
/** Public keys of a client. */
export const CLIENT_KEYS_MAX = 10;
export const KEY_ID_MAX = 256;
export const RSA_BITS_MIN = 2048;
export const RSA_BITS_MAX = 8192;

/** Signed proofs of callers: DPoP (RFC 9449) and client assertions (RFC 7523). */
export const PROOF_SKEW_SECONDS = 60;
export const PROOF_ID_MAX = 256;
export const PROOF_MAX = 8192;
export const CLIENT_ASSERTION_SECONDS = 5 * SECONDS_PER_MINUTE;
/** A DPoP nonce is valid in its window and the next one. */
export const DPOP_NONCE_WINDOW_SECONDS = 5 * SECONDS_PER_MINUTE;

export const LIST_LIMIT = 50;
export const LIST_LIMIT_MAX = 100;
/** Records that one search call reads. */
export const LIST_EXAMINED_MAX = 1000;

/** Passkeys and approvals: the life of a challenge (WebAuthn L3 §13.4.3), with time for the prompt. */
export const WEBAUTHN_CHALLENGE_SECONDS = 5 * SECONDS_PER_MINUTE;
/** The token of a hosted registration, until a browser opens it. */
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
