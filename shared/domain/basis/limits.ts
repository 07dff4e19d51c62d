// All limits, lifetimes and defaults of the service. Names of durations end in their unit.

export const SECONDS_PER_MINUTE = 60;
export const SECONDS_PER_HOUR = 3600;
export const SECONDS_PER_DAY = 86_400;

// Limits that SPEC sets in its section "Limits".
export const DEVICE_ID_MAX = 80;
export const CLIENT_ID_MAX = 150;
/** Maximum length of a session ID in a request. Our IDs have 51 characters; a longer text must not become a DynamoDB key. */
export const SESSION_ID_MAX = 128;
// Maximum lengths of an application's texts on hosted pages, in characters.
export const BRAND_TITLE_MAX = 60;
export const BRAND_TEXT_MAX = 300;
/** Maximum corner radius on hosted pages, in CSS pixels. */
export const CORNER_RADIUS_MAX = 24;
export const LINK_HOSTS_MAX = 20;
export const LOGO_BASE64_MAX = 60_000;
/** Maximum length of an authenticator's result, in characters. A result with an attestation has only a few KB. */
export const PASSKEY_RESULT_MAX = 60_000;
export const APPROVAL_DATA_MAX_KEYS = 10;
export const APPROVAL_DATA_MAX_BYTES = 4096;
export const CLAIMS_REQUEST_MAX_BYTES = 4096;
export const CLAIM_VALUES_MAX = 50;
export const SMS_CUSTOM_MESSAGE_MAX = 140;
export const SMS_SENDER_ID_MAX = 11;
export const BODY_MAX_BYTES = 256 * 1024;
/** Maximum length of a URL. CloudFront rejects longer URLs ("Request and response behavior for custom origins"). */
export const URL_MAX_BYTES = 8192;
/** Maximum size of the request line with all headers at CloudFront ("Request and response behavior for custom origins"). */
export const REQUEST_MAX_BYTES = 20_480;
/** Maximum size of the request line with all headers at API Gateway ("Quotas for configuring and running an HTTP API"). */
export const REQUEST_HEAD_MAX_BYTES = 10_240;

// One-time codes. An out-of-band code is valid for at most ten minutes (NIST SP 800-63B-4 §3.1.3.2).
export const PASSCODE_DIGITS = 6;
export const PASSCODE_DIGITS_MIN = 4;
export const PASSCODE_DIGITS_MAX = 8;
/** Maximum length of the text in a code field, in characters. It leaves room for the whole message, which users may paste. */
export const PASTED_CODE_MAX = 1000;
export const PASSCODE_EXPIRES_MINUTES = 5;
export const PASSCODE_EXPIRES_MINUTES_MAX = 60;
export const PASSCODE_MAX_TRIES = 3;
export const PASSCODE_MAX_TRIES_MAX = 20;
export const PASSCODE_LOCK_MINUTES = 15;
export const PASSCODE_LOCK_MINUTES_MAX = 24 * 60;
/** Maximum number of consecutive wrong codes for a user or address, as in NIST SP 800-63B-4 §3.2.2. */
export const PASSCODE_MAX_FAILURES = 100;
/** Time for which failed attempts are counted, in seconds since the last failed attempt. */
export const PASSCODE_FAILURES_KEPT_SECONDS = 30 * SECONDS_PER_DAY;

export const LINK_EXPIRES_MINUTES = 15;
export const LINK_EXPIRES_MINUTES_MAX = 1440;

/**
 * Time for which a used code or token stays stored, to distinguish a replay from a guess. An unused code or token stays stored
 * for the same time, or until it expires if that is later. No such record contains the ID of an erased user for more than a
 * day.
 */
export const CONSUMED_KEPT_SECONDS = SECONDS_PER_DAY;
/** Time for which an expired record stays stored, to allow for clock differences. */
export const EXPIRED_KEPT_SECONDS = SECONDS_PER_HOUR;

export const ACCESS_TOKEN_SECONDS = 3600;
export const ID_TOKEN_SECONDS = 3600;
/** Lifetime of a logout token. OpenID Connect Back-Channel Logout 1.0 §2.4 recommends at most two minutes. */
export const LOGOUT_TOKEN_SECONDS = 120;
export const CLIENT_TOKEN_SECONDS = 3600;
export const REFRESH_TOKEN_SECONDS = 14 * SECONDS_PER_DAY;
export const REFRESH_FAMILY_SECONDS = 14 * SECONDS_PER_DAY;
export const SESSION_IDLE_SECONDS = 14 * SECONDS_PER_DAY;
export const SESSION_ABSOLUTE_SECONDS = 90 * SECONDS_PER_DAY;
// Session lifetimes of the presets `aal1` and `aal2`, from which an application can choose (NIST SP 800-63B-4 §2.1.3, §2.2.3).
export const AAL1_ABSOLUTE_SECONDS = 30 * SECONDS_PER_DAY;
export const AAL2_ABSOLUTE_SECONDS = SECONDS_PER_DAY;
export const AAL2_IDLE_SECONDS = SECONDS_PER_HOUR;
/** Default maximum age of a login that may add or remove a credential (ASVS 7.5.1). An application can set another maximum. */
export const BINDING_MAX_AGE_SECONDS = 10 * SECONDS_PER_MINUTE;
export const BINDING_MAX_AGE_SECONDS_MIN = 60;
export const BINDING_MAX_AGE_SECONDS_MAX = SECONDS_PER_HOUR;
// Range of an application's session lifetimes.
export const SESSION_SECONDS_MIN = 60;
export const SESSION_SECONDS_MAX = 365 * SECONDS_PER_DAY;
/** Maximum number of active sessions per user. After a login, the least recently used sessions above this number are ended. */
export const SESSIONS_MAX = 100;
/** Maximum number of ended sessions in a user's partition. DynamoDB's TTL alone would keep ended sessions for days. */
export const ENDED_SESSIONS_MAX = 100;
/** Time for which an ended session stays stored: so long that no code or retried write can restart the session. */
export const ENDED_SESSION_SECONDS = 5 * SECONDS_PER_MINUTE;
/** Lifetime of the bound cookie of a device-bound session. For a new cookie, the browser must prove the key again. */
export const BOUND_COOKIE_SECONDS = 15 * SECONDS_PER_MINUTE;
export const CONSOLE_BOUND_COOKIE_SECONDS = 5 * SECONDS_PER_MINUTE;
/** Time for which a bound cookie is valid after its own expiry, or after a newer cookie was issued. */
export const BOUND_COOKIE_GRACE_SECONDS = 20;
export const BINDING_CHALLENGE_SECONDS = 5 * SECONDS_PER_MINUTE;
/** Maximum number of active refresh token families per session. A new family replaces the least recently used family. */
export const SESSION_FAMILIES_MAX = 16;
/** Maximum number of revoked token families per session. Each is needed only until a concurrent exchange has finished. */
export const ENDED_FAMILIES_MAX = 64;

/** Lifetime of an authorization code, from the user's action in the browser to the exchange. */
export const AUTHORIZATION_CODE_SECONDS = 60;
export const PUSHED_REQUEST_SECONDS = 60;
/** Time from the authorization request to its code: enough for a user to fetch two emails. */
export const LOGIN_TRANSACTION_SECONDS = 30 * SECONDS_PER_MINUTE;
/** Minimum response time of an operation that sends a message, so that the time does not reveal whether a message was sent. */
export const SEND_ANSWER_MILLISECONDS = 600;
/**
 * Maximum number of tenants in which one logout ends sessions. The logout page names applications only if at most this many
 * clients are involved.
 */
export const LOGIN_COOKIES_MAX = 20;
/** Time that a user may spend at a social provider, including a password reset at the provider. */
export const UPSTREAM_LOGIN_SECONDS = 10 * SECONDS_PER_MINUTE;
/** Time limit of all calls to a provider in one request. */
export const PROVIDER_MILLISECONDS = 4000;
/** Time limit of one call to a provider. */
export const PROVIDER_CALL_MILLISECONDS = 2000;
/** Time for which a container caches a provider's metadata. */
export const PROVIDER_METADATA_SECONDS = SECONDS_PER_HOUR;
/** Maximum number of seconds by which a provider's clock may be slow. It applies when an ID token must prove a recent login. */
export const PROVIDER_SKEW_SECONDS = 60;
/** Lifetime of the client secret (a JWT) that we sign for each call to Apple. */
export const APPLE_SECRET_SECONDS = SECONDS_PER_MINUTE;
/** Time for which a client that lost the response to a refresh may repeat the refresh. */
export const REFRESH_GRACE_SECONDS = 10;
/** Maximum grace period that an application can set for repeated refreshes of its public clients. */
export const REFRESH_REUSE_SECONDS_MAX = 10 * SECONDS_PER_MINUTE;
/** Maximum period in which an application's users can exchange sessions of its previous system for sessions here. */
export const FORMER_SESSIONS_SECONDS_MAX = 90 * SECONDS_PER_DAY;
/** Maximum age of a previous system's ID token that can be exchanged for a session. */
export const FORMER_TOKEN_SECONDS = 10 * SECONDS_PER_MINUTE;
/** Lifetime of the cookie that identifies a browser: the maximum that browsers allow. */
export const BROWSER_COOKIE_SECONDS = 400 * SECONDS_PER_DAY;
/** Time for which a browser is not offered a passkey again after "Not now". */
export const PASSKEY_OFFER_AGAIN_SECONDS = 30 * SECONDS_PER_DAY;
/** Maximum number of users per browser whose answers to a passkey offer are remembered in its cookie. */
export const PASSKEY_ANSWERS_MAX = 8;
/** Time since the user's last login in a browser after which the browser is no longer recognised. */
export const KNOWN_DEVICE_SECONDS = 180 * SECONDS_PER_DAY;
/** Maximum number of recognised browsers per user. A new browser replaces the least recently used browser. */
export const KNOWN_DEVICES_MAX = 50;

export const SENDS_PER_MINUTE = 5;
export const SENDS_PER_DAY = 30;
/** Fraction of a user's message quota that unrecognised browsers may use. */
export const UNKNOWN_BROWSER_SENDS_SHARE = 2 / 3;
/** Fraction of a daily message quota that one network may use. Two networks together leave a third of the quota to others. */
export const NETWORK_SENDS_SHARE = 1 / 3;
/** Fraction of the quota of unrecognised browsers that one network may use per `UNKNOWN_BROWSER_WINDOW_SECONDS`. */
export const UNKNOWN_BROWSER_NETWORK_SHARE = 1 / 4;
export const UNKNOWN_BROWSER_WINDOW_SECONDS = 6 * SECONDS_PER_HOUR;
/** Additional message quota for browsers that the user has logged in from, as a fraction of the regular quota. */
export const KNOWN_BROWSER_EXTRA_SHARE = 1 / 2;
/** Maximum number of notices of one type per user and day. An attacker who locks codes repeatedly cannot flood a mailbox. */
export const NOTICES_PER_DAY = 3;
export const CLIENT_CALLS_PER_MINUTE = 600;
/** Maximum number of unauthenticated calls per minute from one network, counted in each container. */
export const ANONYMOUS_CALLS_PER_MINUTE = 2000;
/** Maximum number of calls from one IP address that the web ACL allows in 5 minutes. */
export const ANONYMOUS_CALLS_PER_5_MINUTES = 5 * ANONYMOUS_CALLS_PER_MINUTE;
// Limits of failed client authentications from one network in a tenant. Correct secrets are accepted beyond these limits.
export const CLIENT_FAILURES_PER_MINUTE = 60;
export const CLIENT_FAILURES_PER_HOUR = 600;
// Maximum numbers of messages that one network can request: in total, and to addresses without a user.
export const ANONYMOUS_SENDS_PER_MINUTE = 300;
export const ANONYMOUS_SENDS_PER_DAY = 3000;
export const ANONYMOUS_SIGN_UPS_PER_MINUTE = 100;
/** Number of leading digits, with the country code, that define a range of phone numbers. SMS fraudsters own whole ranges. */
export const SMS_PREFIX_DIGITS = 7;
export const SMS_PER_PREFIX_PER_HOUR = 60;
export const SMS_PER_PREFIX_PER_DAY = 300;
/**
 * Number of unused codes per day above which messages to a range of phone numbers are limited. Users enter most of their codes,
 * fraudsters none. Above the maximum, each used code allows four more messages. A range thus stays open if 25 % of the codes
 * are used.
 */
export const SMS_UNVERIFIED_PER_PREFIX = 40;
export const SMS_ALLOWED_PER_USED_CODE = 4;
/** Number of messages per hour that still go to a limited range of phone numbers, to detect that it has recovered. */
export const SMS_PROBES_PER_HOUR = 2;
// SMS budget of a tenant, across all its applications.
export const SMS_PER_TENANT_PER_DAY = 2000;
export const SMS_PER_TENANT_PER_30_DAYS = 20_000;
/** Fraction of a tenant's SMS budget for phone numbers that belong to no user. The rest is reserved for logins of users. */
export const SMS_BUDGET_SHARE_OF_SIGN_UPS = 0.8;
export const MINUTE_SECONDS = SECONDS_PER_MINUTE;
export const HOUR_SECONDS = SECONDS_PER_HOUR;
export const DAY_SECONDS = SECONDS_PER_DAY;
export const THIRTY_DAYS_SECONDS = 30 * SECONDS_PER_DAY;

/** Maximum length of a user agent in logs, in characters. */
export const USER_AGENT_MAX = 512;

/** Time for which a container caches configuration records and public keys. */
export const DIRECTORY_CACHE_SECONDS = 60;
export const DIRECTORY_CACHE_MAX = 1000;
export const PUBLIC_CACHE_SECONDS = 300;
/** Time until every verifier and every container uses a changed set of public keys. */
export const KEYS_PROPAGATION_SECONDS = PUBLIC_CACHE_SECONDS + DIRECTORY_CACHE_SECONDS;
/** Time for which a previous signing key stays published: the lifetime of its last token and the time to refresh caches. */
export const KEY_KEPT_SECONDS = SECONDS_PER_DAY + KEYS_PROPAGATION_SECONDS;

/** Age at which an identifier reservation may be taken over by another user if its own user was never stored. */
export const ORPHANED_RESERVATION_SECONDS = 60;
/** Time limit for storing a user after reserving identifiers: half the takeover age, to allow for clock differences. */
export const RESERVATION_FILL_SECONDS = ORPHANED_RESERVATION_SECONDS / 2;

/** Time for which other tenants cannot use an abandoned resource URI. Old tokens must not be valid for a new owner. */
export const ABANDONED_URI_SECONDS = 90 * SECONDS_PER_DAY;

/** Maximum number of seconds by which the time of a risk signal about a phone number may be ahead of our clock. */
export const SIGNAL_SKEW_SECONDS = SECONDS_PER_MINUTE;
export const SIGNAL_REASON_MAX = 64;

// Limits of a user record, in characters and entries. The largest record stays far below DynamoDB's item limit of 400 KB.
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
/** Maximum number of accounts at social providers per user. */
export const IDENTITIES_MAX = 20;
export const CUSTOM_DATA_MAX_BYTES = 16 * 1024;
export const CUSTOM_DATA_MAX_DEPTH = 20;
/** Maximum number of attempts to change a record that other requests change at the same time. */
export const CHANGE_ATTEMPTS = 10;
// Hours until a user can log in without a lost second factor: default and maximum of a tenant's setting.
export const RECOVERY_DELAY_HOURS = 24;
export const RECOVERY_DELAY_HOURS_MAX = 720;
/** Time after the recovery delay in which a user may add a new second factor. */
export const RECOVERY_SECONDS = 3 * SECONDS_PER_DAY;
/** Time for which users can undo the deletion of their own account. */
export const ERASURE_DELAY_SECONDS = 7 * SECONDS_PER_DAY;
/** Default maximum number of applications per tenant. Erasing a user clears rate-limit windows in each application. */
export const APPLICATIONS_DEFAULT = 1000;
/** Maximum value of a tenant's limit on applications. One DynamoDB query of keys can count this many applications. */
export const APPLICATIONS_MAX = 5000;
/** Interval at which the worker looks for due jobs. */
export const JOBS_INTERVAL_MINUTES = 5;
/** Time for which a run of the worker starts further jobs. */
export const JOBS_RUN_SECONDS = 10;
/** Number of jobs that the worker processes in parallel: enough for far more than 100,000 erasures a day. */
export const JOBS_AT_ONCE = 20;
/** Seconds that a request spends on the job it has created before it responds. */
export const JOB_CALL_SECONDS = 3;
/** Time after which the worker may take over a job from the request that created it. */
export const JOB_TAKEOVER_SECONDS = 60;
/** Maximum number of recoveries per user and day. Each recovery sends notices to all addresses and could flood mailboxes. */
export const RECOVERIES_PER_DAY = 1;
/** Maximum number of hashes of former identifiers per user. An erasure uses them to find codes that outlive an identifier. */
export const FORMER_IDENTIFIERS_MAX = 50;
/** Time for which a verified address that was replaced or removed still gets notices and can undo the change. */
export const FORMER_ADDRESS_SECONDS = 7 * SECONDS_PER_DAY;
/** Maximum number of former addresses of one type per user. Few users reach it, because only verified addresses are kept. */
export const FORMER_ADDRESSES_MAX = 20;
/**
 * Maximum number of hashes of a user's former email addresses. Hashes never expire; above the maximum, the oldest are dropped.
 */
export const FORMER_EMAILS_MAX = 100;
/** Maximum number of applications recorded per user. Rules only check whether a user has exactly one application. */
export const RECORDED_APPLICATIONS_MAX = 2;
export const APPLICATIONS_NAMED_MAX = 20;
/** Default retention of user timelines. An environment can set another retention. */
export const TIMELINE_DAYS = 90;
/** Retention of the delivery records of sent messages. */
export const MESSAGES_KEPT_SECONDS = 30 * SECONDS_PER_DAY;
/** Number of partitions of a tenant's list of failed messages. DynamoDB accepts only 1,000 writes per second to a partition. */
export const FAILURE_SHARDS = 4;
/** Retention of the log of changes to configuration and users. */
export const CHANGES_KEPT_SECONDS = 400 * SECONDS_PER_DAY;
/** Retention of the statistics of logins and messages. */
export const STATISTICS_KEPT_SECONDS = 90 * SECONDS_PER_DAY;
export const STATISTICS_HOURS = 7 * 24;
export const STATISTICS_HOURS_MAX = 90 * 24;
/** Length of a statistics interval. A local hour consists of whole intervals, even with a UTC offset of 30 or 45 minutes. */
export const STATISTICS_INTERVAL_SECONDS = 15 * SECONDS_PER_MINUTE;
/** Number of items over which one counter is spread, because DynamoDB accepts only 1,000 writes per second to an item. */
export const STATISTICS_SHARDS = 8;
/** Time for which a sent SMS can be found by its ID. Mobile networks report the delivery for at most 72 hours. */
export const SENT_SMS_KEPT_SECONDS = 4 * SECONDS_PER_DAY;
/** Retention of webhook deliveries, in seconds since the last attempt. */
export const WEBHOOK_DELIVERIES_KEPT_SECONDS = 7 * SECONDS_PER_DAY;
/** Maximum number of attempts stored per webhook delivery. Attempts above the maximum, made by redeliveries, are not stored. */
export const WEBHOOK_DELIVERY_ATTEMPTS_MAX = 100;
export const SEEN_DEVICE_SECONDS = 400 * SECONDS_PER_DAY;
/** Maximum number of devices remembered per user to detect a login from a new device. Every login reads all of them. */
export const SEEN_DEVICES_MAX = 100;
/** Number of items that background work writes or deletes in parallel. */
export const PARALLEL_WRITES = 20;

/** Minimum lifetime that can be set, in minutes (1.2 seconds). DynamoDB cannot store extremely small numbers. */
export const MINUTES_MIN = 0.02;
/** Minimum lifetime of a token. Every API would reject a token that expires immediately, without a hint at the reason. */
export const RESOURCE_TTL_MIN_SECONDS = 1;
/**
 * Maximum lifetime of an access token. APIs that verify tokens offline accept a stolen token until it expires, even after a
 * logout.
 */
export const RESOURCE_ACCESS_TTL_MAX_SECONDS = SECONDS_PER_DAY;
/** Maximum lifetime of a refresh token of a resource (ten years), so that forgotten tokens expire eventually. */
export const RESOURCE_REFRESH_TTL_MAX_SECONDS = 3650 * SECONDS_PER_DAY;

// Limits of configuration records, in characters and entries.
export const URI_MAX = 1024;
/** Maximum length of a percent-encoded `state`. API Gateway limits the headers of a response to 10 KB. */
export const STATE_MAX_BYTES = 4096;
/** Maximum length of `nonce`, in characters. The ID token contains the nonce and must fit into a URL as `id_token_hint`. */
export const NONCE_MAX = 512;
export const DESCRIPTION_MAX = 1024;
export const REDIRECT_URIS_MAX = 100;
export const APPLICATION_RESOURCES_MAX = 100;
/** Maximum number of Microsoft Entra tenants whose accounts may log in to an application. */
export const DIRECTORIES_MAX = 50;
/** Maximum number of custom OpenID providers that an application can configure under names of its own. */
export const OPENID_PROVIDERS_MAX = 10;
/** Maximum length of a provider's logo in base64. A login page contains the logos of all its providers. */
export const PROVIDER_LOGO_BASE64_MAX = 6000;
/** Maximum length of a provider's label, so that a button fits on a phone. */
export const PROVIDER_LABEL_MAX = 40;
export const PROVIDER_SCOPES_MAX = 20;
/** Maximum number of scopes per resource. A token can contain all of them. */
export const RESOURCE_SCOPES_MAX = 20;
// Clients identified by a metadata document: draft-ietf-oauth-client-id-metadata-document-02 §5.2, §8.7.
export const DOCUMENT_HOSTS_MAX = 50;
export const DOCUMENT_BYTES_MAX = 5 * 1024;
export const DOCUMENT_REDIRECT_URIS_MAX = 20;
export const DOCUMENT_MILLISECONDS = 3000;
export const DOCUMENT_SECONDS_MIN = 5 * SECONDS_PER_MINUTE;
export const DOCUMENT_SECONDS_MAX = SECONDS_PER_DAY;
export const DOCUMENT_REFUSAL_SECONDS = SECONDS_PER_MINUTE;
// Maximum numbers of uncached client documents that are fetched per minute: per network, per host, and per application.
export const DOCUMENTS_PER_NETWORK = 10;
export const DOCUMENTS_PER_HOST = 30;
export const DOCUMENTS_PER_APPLICATION = 100;
/** Time for which a consent is valid. No token that is issued under the consent is valid for longer. */
export const CONSENT_SECONDS = 90 * SECONDS_PER_DAY;
export const SCOPE_SENTENCE_MAX = 200;
export const PERMISSIONS_MAX = 100;
/** Maximum total number of permissions in the roles of an application, so that all fit into tokens and one DynamoDB item. */
export const PERMISSIONS_OF_ROLES_MAX = 500;
export const MEMBER_ROLES_MAX = 50;
/** Maximum number of roles of an application, client or user. All roles and their permissions fit into one DynamoDB item. */
export const ROLES_MAX = 20;
/** Maximum number of event types that a webhook subscribes to. */
export const WEBHOOK_EVENTS_MAX = 100;
/** Maximum length of an event type, in characters. */
export const WEBHOOK_EVENT_MAX = 100;
/** Maximum number of secrets per client: the new secret and, until all servers of the client use it, the previous secret. */
export const CLIENT_SECRETS_MAX = 2;
/** Maximum number of revoked tokens and secrets that a client's record keeps. */
export const CLIENT_REVOCATIONS_MAX = 100;
export const RATE_LIMIT_MAX = 1_000_000;
/** Maximum number of public keys that a client can register. */
export const CLIENT_KEYS_MAX = 10;
export const KEY_ID_MAX = 256;
export const RSA_BITS_MIN = 2048;
export const RSA_BITS_MAX = 8192;

// Signed proofs of callers: DPoP (RFC 9449) and client assertions (RFC 7523).
export const PROOF_SKEW_SECONDS = 60;
export const PROOF_ID_MAX = 256;
export const PROOF_MAX = 8192;
export const CLIENT_ASSERTION_SECONDS = 5 * SECONDS_PER_MINUTE;
/** Length of the time window that a DPoP nonce belongs to. A nonce is valid in its time window and in the next time window. */
export const DPOP_NONCE_WINDOW_SECONDS = 5 * SECONDS_PER_MINUTE;

export const LIST_LIMIT = 50;
export const LIST_LIMIT_MAX = 100;
/** Maximum number of records that one search request reads. */
export const LIST_EXAMINED_MAX = 1000;

/** Lifetime of a WebAuthn challenge (WebAuthn L3 §13.4.3). It includes the time for the authenticator's prompt. */
export const WEBAUTHN_CHALLENGE_SECONDS = 5 * SECONDS_PER_MINUTE;
/** Time in which a browser must open the link of a hosted passkey registration. */
export const PASSKEY_REGISTRATION_SECONDS = 5 * SECONDS_PER_MINUTE;
export const APPROVAL_SECONDS = 5 * SECONDS_PER_MINUTE;
/** Maximum length of a credential ID (WebAuthn L3 §7.1 step 25). */
export const CREDENTIAL_ID_MAX_BYTES = 1023;
export const PASSKEYS_MAX = 50;
export const DEVICE_KEYS_MAX = 20;
/** Maximum number of origins at which an application's passkeys may be used. */
export const ORIGINS_MAX = 20;
/** Maximum number of native apps per application and platform. */
export const APPS_MAX = 10;
/** Maximum number of certificates per Android app: the keys of releases, uploads and debug builds. */
export const FINGERPRINTS_MAX = 5;
/** Maximum length of an Android package name or an Apple bundle ID. Apple allows 155 characters. */
export const APP_NAME_MAX = 155;
/** Maximum number of certificates and of Apple app IDs on the login host, so that each list has less than 128 KB. */
export const LISTED_APPS_MAX = 200;
/** Maximum length of a host name (RFC 1035 §2.3.4). */
export const RP_ID_MAX = 253;
/** Maximum number of hosts of related origins, without the RP ID's host. Browsers accept five names (WebAuthn L3 §5.11.1). */
export const RELATED_HOSTS_MAX = 5;
