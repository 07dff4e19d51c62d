import * as l from '../../../shared/domain/basis/limits.ts';
import { toDurationText as duration } from '../../operator/words/durations.ts';

// Generates the page functions/LIMITS.md from the constants in limits.ts.

const number = (value: number): string => value.toLocaleString('en-US');

const minutes = (count: number): string => duration(count * 60);
const computeShare = (max: number, share: number): number => Math.ceil(max * share);
const kilobytes = (bytes: number): string => `${bytes / 1024} KB`;

export const limitsPage = (): string => `<!-- Made by npm run pages. -->

# Limits

This page lists the limits that callers and users can reach. The API document lists the minimum and maximum of
each field. A limit marked \`fixed\` can be changed only in [limits.ts](../shared/domain/basis/limits.ts). Rate limits
are counted per calendar minute, hour or day (UTC).

## Passcodes and links

An application sets the limits of passcodes and links in \`login_preferences\`. Failed passcode attempts are counted per
hosted login, \`request_id\` or client, and separately for each network that a trusted client reports.

| Limit | Default | Range | Changed by |
|---|---|---|---|
| Number of digits of a passcode | ${l.PASSCODE_DIGITS} | ${l.PASSCODE_DIGITS_MIN} to ${l.PASSCODE_DIGITS_MAX} | \`digits\` |
| Lifetime of a passcode | ${minutes(l.PASSCODE_EXPIRES_MINUTES)} | up to ${minutes(l.PASSCODE_EXPIRES_MINUTES_MAX)} | \`expires_minutes\`, \`expires_in\` |
| Failed passcode attempts before a lockout | ${l.PASSCODE_MAX_TRIES} | 1 to ${l.PASSCODE_MAX_TRIES_MAX} | \`max_tries\` |
| Duration of the lockout | ${minutes(l.PASSCODE_LOCK_MINUTES)} | up to ${minutes(l.PASSCODE_LOCK_MINUTES_MAX)} | \`lock_minutes\` |
| Consecutive failed passcode attempts after which the user can no longer log in with a passcode | ${l.PASSCODE_MAX_FAILURES} | | fixed |
| Time after which a failed passcode attempt is no longer counted | ${duration(l.PASSCODE_FAILURES_KEPT_SECONDS)} | | fixed |
| Lifetime of a link | ${minutes(l.LINK_EXPIRES_MINUTES)} | up to ${minutes(l.LINK_EXPIRES_MINUTES_MAX)} | \`link.expires_minutes\`, \`email_expiration\` |

## Tokens and sessions

| Limit | Default | Range | Changed by |
|---|---|---|---|
| Lifetime of an access token of a user or client | ${duration(l.ACCESS_TOKEN_SECONDS)} | ${duration(l.RESOURCE_TTL_MIN_SECONDS)} to ${duration(l.RESOURCE_ACCESS_TTL_MAX_SECONDS)}; up to ${duration(l.CLIENT_TOKEN_SECONDS)} for management clients | \`access_token_ttl\` of the resource or client |
| Lifetime of an ID token | ${duration(l.ID_TOKEN_SECONDS)} | | fixed |
| Lifetime of a refresh token | ${duration(l.REFRESH_TOKEN_SECONDS)} | ${duration(l.RESOURCE_TTL_MIN_SECONDS)} to ${duration(l.RESOURCE_REFRESH_TTL_MAX_SECONDS)} | \`refresh_token_ttl\` of the resource or client |
| Total time for which the refresh tokens of one login are valid | ${duration(l.REFRESH_FAMILY_SECONDS)} | ${duration(l.RESOURCE_TTL_MIN_SECONDS)} to ${duration(l.RESOURCE_REFRESH_TTL_MAX_SECONDS)} | \`max_refresh_rotate\` of the resource or client |
| Time for which a repeated refresh request gets the same response | ${duration(l.REFRESH_GRACE_SECONDS)} | | fixed |
| Idle lifetime of a session | ${duration(l.SESSION_IDLE_SECONDS)} | ${duration(l.SESSION_SECONDS_MIN)} to ${duration(l.SESSION_SECONDS_MAX)} | \`session_idle_seconds\` |
| Lifetime of the cookie that a [device-bound session](account/README.md#device-bound-sessions) renews with the device's key, and of a challenge for the renewal | ${duration(l.BOUND_COOKIE_SECONDS)}, or ${duration(l.CONSOLE_BOUND_COOKIE_SECONDS)} in the console; ${duration(l.BINDING_CHALLENGE_SECONDS)} for a challenge | | fixed |
| Total lifetime of a session | ${duration(l.SESSION_ABSOLUTE_SECONDS)} | ${duration(l.SESSION_SECONDS_MIN)} to ${duration(l.SESSION_SECONDS_MAX)} | \`session_absolute_seconds\` |
| Time after a login in which the user may add or remove a passkey, device key or phone number | ${duration(l.BINDING_MAX_AGE_SECONDS)} | ${duration(l.BINDING_MAX_AGE_SECONDS_MIN)} to ${duration(l.BINDING_MAX_AGE_SECONDS_MAX)} | \`binding_max_age_seconds\` |
| Total lifetime of a session with the preset \`aal1\` | ${duration(l.AAL1_ABSOLUTE_SECONDS)} | | \`session_preset\` |
| Idle lifetime and total lifetime of a session with the preset \`aal2\` | ${duration(l.AAL2_IDLE_SECONDS)} idle, ${duration(l.AAL2_ABSOLUTE_SECONDS)} in total | | \`session_preset\` |
| Maximum number of sessions per user. A login beyond the maximum ends the user's least recently used session | ${l.SESSIONS_MAX} | | fixed |
| Number of devices that the service remembers per user to detect logins from new devices. A new device beyond this number replaces the oldest remembered device | ${l.SEEN_DEVICES_MAX} | | fixed |
| Maximum number of logins with refresh tokens in one session. A login beyond the maximum replaces the session's least recently used login | ${l.SESSION_FAMILIES_MAX} | | fixed |
| Period in which backends can exchange sessions of the system that they migrate from | off | up to ${duration(l.FORMER_SESSIONS_SECONDS_MAX)} | \`--days\` of \`otl application take-sessions\` |
| Maximum age of an ID token that a backend exchanges for a session when it migrates from another system | ${duration(l.FORMER_TOKEN_SECONDS)} | | fixed |
| Lifetime of a user's consent to an agent | ${duration(l.CONSENT_SECONDS)} | | fixed |
| Lifetime of an authorization code | ${duration(l.AUTHORIZATION_CODE_SECONDS)} | | fixed |
| Lifetime of a pushed authorization request | ${duration(l.PUSHED_REQUEST_SECONDS)} | | fixed |
| Maximum duration of a login in the browser, from the authorization request to the authorization code | ${duration(l.LOGIN_TRANSACTION_SECONDS)} | | fixed |
| Maximum duration of a login at a social provider | ${duration(l.UPSTREAM_LOGIN_SECONDS)} | | fixed |
| Maximum total time of the calls to a social provider within one request, and maximum time of each call | ${l.PROVIDER_MILLISECONDS / 1000} seconds in total, ${l.PROVIDER_CALL_MILLISECONDS / 1000} seconds per call | | fixed |
| Number of known browsers that the service remembers per user | ${l.KNOWN_DEVICES_MAX} browsers, each for ${duration(l.KNOWN_DEVICE_SECONDS)} | | fixed |

## Rate limits

Each application can set its own rate limits in \`rate_limits\`, each from 1 to ${number(l.RATE_LIMIT_MAX)}. A browser is unknown if the
user has never logged in with this browser.

| Limit | Default | Changed by |
|---|---|---|
| Messages to one mailbox or phone number, per application and channel | ${l.SENDS_PER_MINUTE} messages a minute, ${l.SENDS_PER_DAY} a day | \`sends_per_minute\`, \`sends_per_day\` |
| Messages to one address that unknown browsers request on hosted pages | ${computeShare(l.SENDS_PER_MINUTE, l.UNKNOWN_BROWSER_SENDS_SHARE)} messages a minute, ${computeShare(l.SENDS_PER_DAY, l.UNKNOWN_BROWSER_SENDS_SHARE)} a day | fixed share of \`sends_per_minute\` and \`sends_per_day\` |
| Messages to one address that are requested by the unknown browsers of one network | ${computeShare(l.SENDS_PER_DAY, l.UNKNOWN_BROWSER_SENDS_SHARE * l.UNKNOWN_BROWSER_NETWORK_SHARE)} messages in ${duration(l.UNKNOWN_BROWSER_WINDOW_SECONDS)}, ${computeShare(l.SENDS_PER_DAY, l.UNKNOWN_BROWSER_SENDS_SHARE * l.NETWORK_SENDS_SHARE)} a day | fixed share of \`sends_per_day\` |
| Messages to one address that one network requests through a trusted client | ${computeShare(l.SENDS_PER_DAY, l.NETWORK_SENDS_SHARE)} a day | fixed share of \`sends_per_day\` |
| Additional messages per address, reserved for known browsers and for users who have already used a first factor in the login | ${computeShare(l.SENDS_PER_MINUTE, l.KNOWN_BROWSER_EXTRA_SHARE)} messages a minute, ${computeShare(l.SENDS_PER_DAY, l.KNOWN_BROWSER_EXTRA_SHARE)} a day | fixed share of \`sends_per_minute\` and \`sends_per_day\` |
| Calls of one client; for a public client, its calls from one network address | ${l.CLIENT_CALLS_PER_MINUTE} a minute | \`calls_per_minute\` |
| Messages that one network (IPv6: /64) requests on hosted pages or through a trusted client | ${l.ANONYMOUS_SENDS_PER_MINUTE} messages a minute, ${number(l.ANONYMOUS_SENDS_PER_DAY)} a day | \`anonymous_per_minute\`, \`anonymous_per_day\` |
| Messages to addresses that no user has, requested by one network on hosted pages or through a trusted client | ${l.ANONYMOUS_SIGN_UPS_PER_MINUTE} a minute | \`anonymous_sign_ups_per_minute\` |
| Client ID metadata documents of [agents](oauth/AGENTS.md#the-document) that the service fetches because they are not cached | ${l.DOCUMENTS_PER_NETWORK} documents a minute per network, ${l.DOCUMENTS_PER_HOST} a minute per host, and ${l.DOCUMENTS_PER_APPLICATION} a minute per application | fixed |
| Calls without a token or secret, per network and instance of a Lambda function | ${number(l.ANONYMOUS_CALLS_PER_MINUTE)} a minute | fixed |
| Calls without a token or secret that the AWS WAF web ACL accepts from one IP address | ${number(l.ANONYMOUS_CALLS_PER_5_MINUTES)} in 5 minutes | fixed |
| Failed client authentications per tenant and network. Correct client secrets are accepted even if the limit is reached | ${l.CLIENT_FAILURES_PER_MINUTE} failures a minute, ${l.CLIENT_FAILURES_PER_HOUR} an hour | fixed |
| SMS to numbers with the same first ${l.SMS_PREFIX_DIGITS} digits | ${l.SMS_PER_PREFIX_PER_HOUR} SMS an hour, ${l.SMS_PER_PREFIX_PER_DAY} a day | \`sms_per_prefix_per_hour\`, \`sms_per_prefix_per_day\` |
| Unused SMS codes per day, sent to phone numbers with the same first ${l.SMS_PREFIX_DIGITS} digits | ${l.SMS_UNVERIFIED_PER_PREFIX} SMS, then ${l.SMS_PROBES_PER_HOUR} SMS an hour. Each SMS code that is used allows ${l.SMS_ALLOWED_PER_USED_CODE} more SMS | \`sms_unverified_per_prefix\` |
| SMS of a tenant | ${number(l.SMS_PER_TENANT_PER_DAY)} SMS a day, ${number(l.SMS_PER_TENANT_PER_30_DAYS)} in 30 days. At most ${l.SMS_BUDGET_SHARE_OF_SIGN_UPS * 100} % of the SMS go to numbers that no user has | \`otl tenant update --sms-per-day\`, \`--sms-per-30-days\` |
| Delay after a recovery request, after which the user can log in without the lost second factor for ${l.RECOVERY_SECONDS / l.SECONDS_PER_DAY} days | ${l.RECOVERY_DELAY_HOURS} hours | \`otl tenant update --recovery-delay-hours\`, 1 to ${l.RECOVERY_DELAY_HOURS_MAX} hours |
| Recovery requests of one user | ${l.RECOVERIES_PER_DAY} a day | fixed |
| Time in which users can undo the deletion of their account | ${l.ERASURE_DELAY_SECONDS / l.SECONDS_PER_DAY} days. After this time, the service erases the account within ${l.JOBS_INTERVAL_MINUTES} minutes | fixed |
| Notices of one type to one user, except notices about a recovery or a deleted account | ${l.NOTICES_PER_DAY} a day | fixed |

## Requests

| What | Limit |
|---|---|
| Body of a request | ${kilobytes(l.BODY_MAX_BYTES)} |
| URL of a request | ${kilobytes(l.URL_MAX_BYTES)}. CloudFront responds to longer URLs with 413 |
| Request line and headers | ${kilobytes(l.REQUEST_MAX_BYTES)}. If the request line and headers are longer, CloudFront responds with 413 |
| Request line and header values, if the API Gateway HTTP API receives the request | ${kilobytes(l.REQUEST_HEAD_MAX_BYTES)}. AWS does not document the response to longer headers, and the local server responds with 431 (RFC 6585 §5) |
| \`state\`; \`nonce\` | \`state\` may be up to ${kilobytes(l.STATE_MAX_BYTES)} long after percent-encoding, and \`nonce\` up to ${l.NONCE_MAX} characters |
| \`claims\` | \`claims\` may contain up to ${kilobytes(l.CLAIMS_REQUEST_MAX_BYTES)} of JSON and at most ${l.CLAIM_VALUES_MAX} values |
| Client assertion | A client assertion may be up to ${number(l.PROOF_MAX)} characters long, and must expire within ${duration(l.CLIENT_ASSERTION_SECONDS)} (\`exp\`) |
| DPoP proof | A DPoP proof may be up to ${number(l.PROOF_MAX)} characters long, and its \`iat\` may differ by ${l.PROOF_SKEW_SECONDS} seconds from the service's clock |
| Entries per list page | A list page has ${l.LIST_LIMIT} entries by default, and up to ${l.LIST_LIMIT_MAX} entries with \`limit\` |

## Records

| What | Limit |
|---|---|
| Maximum number of credentials of a user | ${l.PASSKEYS_MAX} passkeys, ${l.DEVICE_KEYS_MAX} device keys and ${l.IDENTITIES_MAX} linked identity provider accounts per user |
| Lifetime of a challenge | ${duration(l.WEBAUTHN_CHALLENGE_SECONDS)} for a passkey challenge, and ${duration(l.APPROVAL_SECONDS)} for a device key challenge |
| Time for which a resource URI stays reserved for its tenant after its last resource was deleted | ${duration(l.ABANDONED_URI_SECONDS)} |
| Maximum number of applications of a tenant | ${number(l.APPLICATIONS_DEFAULT)} applications by default. \`otl tenant update --max-applications\` accepts a value from 1 to ${number(l.APPLICATIONS_MAX)} |
| Duration of the deletion of an organization or user | If a deletion takes longer than ${l.JOB_CALL_SECONDS} seconds, the response is 202, and the deletion usually ends within ${l.JOBS_INTERVAL_MINUTES + l.JOB_TAKEOVER_SECONDS / 60} minutes. \`otl jobs\` shows the progress of the deletion |
| Client ID metadata document of an agent | The document may be up to ${kilobytes(l.DOCUMENT_BYTES_MAX)} long and list up to ${l.DOCUMENT_REDIRECT_URIS_MAX} redirect URIs, and its host must send it within ${l.DOCUMENT_MILLISECONDS / 1000} seconds |
| Maximum number of permissions in all roles of one application together | ${l.PERMISSIONS_OF_ROLES_MAX} |
| Maximum number of hosts that operators can confirm for the branding links of one application | ${l.LINK_HOSTS_MAX} |
| Maximum number of webhooks of a tenant | ${l.LIST_LIMIT_MAX} |
| Time for which a Lambda function caches configuration | ${duration(l.DIRECTORY_CACHE_SECONDS)} |
| Time for which clients may cache public keys, metadata and the API document | ${duration(l.PUBLIC_CACHE_SECONDS)} |
`;
