import * as l from '../../../shared/domain/basis/limits.ts';
import { toDurationText as duration } from '../../operator/words/durations.ts';

// Generates the page functions/LIMITS.md from the constants in limits.ts.

const number = (value: number): string => value.toLocaleString('en-US');

const minutes = (count: number): string => duration(count * 60);
const computeShare = (max: number, share: number): number => Math.ceil(max * share);
const kilobytes = (bytes: number): string => `${bytes / 1024} KB`;

export const limitsPage = (): string => `<!-- Made by npm run pages. -->

# Limits

This page lists the limits that callers and users can reach, with their defaults and the settings that change them. The
API document has the bounds of each field. A \`fixed\` limit can only be changed in
[limits.ts](../shared/domain/basis/limits.ts). Rate limits are counted per full minute, hour or day (UTC).

## Passcodes and links

These limits are set for each application in \`login_preferences\`, or for one message when it is sent.

| What | Default | Range | Changed by |
|---|---|---|---|
| Digits of a passcode | ${l.PASSCODE_DIGITS} | ${l.PASSCODE_DIGITS_MIN} to ${l.PASSCODE_DIGITS_MAX} | \`digits\` |
| Lifetime of a passcode | ${minutes(l.PASSCODE_EXPIRES_MINUTES)} | up to ${minutes(l.PASSCODE_EXPIRES_MINUTES_MAX)} | \`expires_minutes\`, or \`expires_in\` of the request |
| Failed passcode attempts until the lockout, for each login, \`request_id\` or client, and for each network that a trusted client reports | ${l.PASSCODE_MAX_TRIES} | 1 to ${l.PASSCODE_MAX_TRIES_MAX} | \`max_tries\` |
| Duration of the lockout | ${minutes(l.PASSCODE_LOCK_MINUTES)} | up to ${minutes(l.PASSCODE_LOCK_MINUTES_MAX)} | \`lock_minutes\` |
| Consecutive failed passcodes until passcodes are disabled for the user | ${l.PASSCODE_MAX_FAILURES} | | fixed |
| Time until failed passcodes are no longer counted | ${duration(l.PASSCODE_FAILURES_KEPT_SECONDS)} | | fixed |
| Lifetime of a link | ${minutes(l.LINK_EXPIRES_MINUTES)} | up to ${minutes(l.LINK_EXPIRES_MINUTES_MAX)} | \`link.expires_minutes\`, or \`email_expiration\` of the request |

## Tokens and sessions

| What | Default | Range | Changed by |
|---|---|---|---|
| Lifetime of an access token of a user or client | ${duration(l.ACCESS_TOKEN_SECONDS)} | ${duration(l.RESOURCE_TTL_MIN_SECONDS)} to ${duration(l.RESOURCE_ACCESS_TTL_MAX_SECONDS)}, for management clients up to ${duration(l.CLIENT_TOKEN_SECONDS)} | \`access_token_ttl\` of the resource or client |
| Lifetime of an ID token | ${duration(l.ID_TOKEN_SECONDS)} | | fixed |
| Lifetime of a refresh token | ${duration(l.REFRESH_TOKEN_SECONDS)} | ${duration(l.RESOURCE_TTL_MIN_SECONDS)} to ${duration(l.RESOURCE_REFRESH_TTL_MAX_SECONDS)} | \`refresh_token_ttl\` of the resource or client |
| Total time for which the tokens of one login can be refreshed | ${duration(l.REFRESH_FAMILY_SECONDS)} | as above | \`max_refresh_rotate\` of the resource or client |
| Time in which a repeated refresh request gets the same response | ${duration(l.REFRESH_GRACE_SECONDS)} | | fixed |
| Idle lifetime of a session | ${duration(l.SESSION_IDLE_SECONDS)} | ${duration(l.SESSION_SECONDS_MIN)} to ${duration(l.SESSION_SECONDS_MAX)} | \`session_idle_seconds\` |
| Total lifetime of a session | ${duration(l.SESSION_ABSOLUTE_SECONDS)} | as above | \`session_absolute_seconds\` |
| Maximum age of a login with which the user adds or removes a passkey, device key or phone number | ${duration(l.BINDING_MAX_AGE_SECONDS)} | ${duration(l.BINDING_MAX_AGE_SECONDS_MIN)} to ${duration(l.BINDING_MAX_AGE_SECONDS_MAX)} | \`binding_max_age_seconds\` |
| Preset \`aal1\` | ${duration(l.AAL1_ABSOLUTE_SECONDS)} in total | | \`session_preset\` |
| Preset \`aal2\` | ${duration(l.AAL2_IDLE_SECONDS)} idle, ${duration(l.AAL2_ABSOLUTE_SECONDS)} in total | | \`session_preset\` |
| Maximum number of sessions of a user. A further session ends the least recently used session | ${l.SESSIONS_MAX} | | fixed |
| Remembered devices of a user, so that a login from a new device is noticed. A further device replaces the oldest device | ${l.SEEN_DEVICES_MAX} | | fixed |
| Logins of one session that have refresh tokens. A further login replaces the least recently used login | ${l.SESSION_FAMILIES_MAX} | | fixed |
| Period in which sessions of a previous system are accepted | off | up to ${duration(l.FORMER_SESSIONS_SECONDS_MAX)} | \`--days\` of \`otl application take-sessions\` |
| Maximum age of an ID token of a previous system | up to ${duration(l.FORMER_TOKEN_SECONDS)} | | fixed |
| Lifetime of the consent that a user gives to an agent | ${duration(l.CONSENT_SECONDS)} | | fixed |
| Lifetime of an authorization code | ${duration(l.AUTHORIZATION_CODE_SECONDS)} | | fixed |
| Lifetime of a pushed authorization request | ${duration(l.PUSHED_REQUEST_SECONDS)} | | fixed |
| Duration of a login in the browser, from the request to the code | ${duration(l.LOGIN_TRANSACTION_SECONDS)} | | fixed |
| Time for a login at a social provider | ${duration(l.UPSTREAM_LOGIN_SECONDS)} | | fixed |
| Time limit of all calls to a social provider in a request, and of each call | ${l.PROVIDER_MILLISECONDS / 1000} and ${l.PROVIDER_CALL_MILLISECONDS / 1000} seconds | | fixed |
| Browsers that the service remembers as known for a user | ${l.KNOWN_DEVICES_MAX}, for ${duration(l.KNOWN_DEVICE_SECONDS)} | | fixed |

## Rate limits

These limits are set for each application in \`rate_limits\`, from 1 to ${number(l.RATE_LIMIT_MAX)}.

| What | Default | Changed by |
|---|---|---|
| Messages to one mailbox or phone number, for each application and channel | ${l.SENDS_PER_MINUTE} messages a minute, ${l.SENDS_PER_DAY} a day | \`sends_per_minute\`, \`sends_per_day\` |
| Messages to one address for unknown browsers, which are browsers on hosted pages that the user has not logged in from | ${computeShare(l.SENDS_PER_MINUTE, l.STRANGER_SENDS_SHARE)} messages a minute, ${computeShare(l.SENDS_PER_DAY, l.STRANGER_SENDS_SHARE)} a day | two thirds of the limit in the row above |
| Messages for unknown browsers that one network address may request | ${computeShare(l.SENDS_PER_DAY, l.STRANGER_SENDS_SHARE * l.STRANGER_NETWORK_SHARE)} messages in ${duration(l.STRANGER_WINDOW_SECONDS)}, ${computeShare(l.SENDS_PER_DAY, l.STRANGER_SENDS_SHARE * l.NETWORK_SENDS_SHARE)} a day | a quarter and a third of the limit in the row above |
| Messages to one address that one network may request through a trusted client | ${computeShare(l.SENDS_PER_DAY, l.NETWORK_SENDS_SHARE)} a day | a third of the limit in the first row |
| Additional messages to one address for known browsers, and for users who have given a first factor | ${computeShare(l.SENDS_PER_MINUTE, l.KNOWN_BROWSER_EXTRA_SHARE)} messages a minute, ${computeShare(l.SENDS_PER_DAY, l.KNOWN_BROWSER_EXTRA_SHARE)} a day | half of the limit in the first row |
| Calls of a client; for a public client, its calls from one network address | ${l.CLIENT_CALLS_PER_MINUTE} a minute | \`calls_per_minute\` |
| Messages that one network (IPv6: /64) requests on hosted pages or through a trusted client | ${l.ANONYMOUS_SENDS_PER_MINUTE} messages a minute, ${number(l.ANONYMOUS_SENDS_PER_DAY)} a day | \`anonymous_per_minute\`, \`anonymous_per_day\` |
| Messages to addresses without a user that one network requests on hosted pages or through a trusted client | ${l.ANONYMOUS_SIGN_UPS_PER_MINUTE} a minute | \`anonymous_sign_ups_per_minute\` |
| New client documents of [agents](oauth/AGENTS.md#the-document), for each network, host and application | ${l.DOCUMENTS_PER_NETWORK}, ${l.DOCUMENTS_PER_HOST} and ${l.DOCUMENTS_PER_APPLICATION} documents a minute | fixed |
| Calls without a token or secret, for each network and function instance | ${number(l.ANONYMOUS_CALLS_PER_MINUTE)} a minute | fixed |
| Calls without a token or secret from one address, limited by the web ACL | ${number(l.ANONYMOUS_CALLS_PER_5_MINUTES)} in 5 minutes | fixed |
| Failed authentications of the clients of a tenant from one network. Correct secrets are still accepted | ${l.CLIENT_FAILURES_PER_MINUTE} failures a minute, ${l.CLIENT_FAILURES_PER_HOUR} an hour | fixed |
| SMS to numbers with the same first ${l.SMS_PREFIX_DIGITS} digits | ${l.SMS_PER_PREFIX_PER_HOUR} SMS an hour, ${l.SMS_PER_PREFIX_PER_DAY} a day | \`sms_per_prefix_per_hour\`, \`sms_per_prefix_per_day\` |
| SMS with unused codes in a day to numbers with the same first digits | ${l.SMS_UNVERIFIED_PER_PREFIX} SMS, then ${l.SMS_PROBES_PER_HOUR} an hour. Each used code allows ${l.SMS_ALLOWED_PER_USED_CODE} more SMS | \`sms_unverified_per_prefix\` |
| SMS of a tenant | ${number(l.SMS_PER_TENANT_PER_DAY)} SMS a day, ${number(l.SMS_PER_TENANT_PER_30_DAYS)} in 30 days. At most ${l.SMS_BUDGET_SHARE_OF_STRANGERS * 100} % of the SMS go to numbers without a user | \`otl tenant update --sms-per-day\`, \`--sms-per-30-days\` |
| Login without the lost second factor after a recovery request | possible after ${l.RECOVERY_DELAY_HOURS} hours, for ${l.RECOVERY_SECONDS / l.SECONDS_PER_DAY} days | \`otl tenant update --recovery-delay-hours\`, 1 to ${l.RECOVERY_DELAY_HOURS_MAX} |
| Recovery requests of one user | ${l.RECOVERIES_PER_DAY} a day | fixed |
| Time in which users can undo the deletion of their account | ${l.ERASURE_DELAY_SECONDS / l.SECONDS_PER_DAY} days. Due account deletions are executed every ${l.JOBS_INTERVAL_MINUTES} minutes | fixed |
| Notices of one type to one user, except notices of a recovery or a deleted account | ${l.NOTICES_PER_DAY} a day | fixed |

## Requests

| What | Limit |
|---|---|
| Body | ${kilobytes(l.BODY_MAX_BYTES)} |
| URL | ${kilobytes(l.URL_MAX_BYTES)}. CloudFront rejects longer URLs with 413 |
| Request line and headers | ${kilobytes(l.REQUEST_MAX_BYTES)}. CloudFront rejects longer requests with 413 |
| Request line and header values, if the HTTP API handles the request | ${kilobytes(l.REQUEST_HEAD_MAX_BYTES)}. AWS does not document its response to longer requests; the local server responds with 431 (RFC 6585 §5) |
| \`state\`; \`nonce\` | ${kilobytes(l.STATE_MAX_BYTES)} percent-encoded for \`state\`; ${l.NONCE_MAX} characters for \`nonce\` |
| \`claims\` | ${kilobytes(l.CLAIMS_REQUEST_MAX_BYTES)} as JSON, with at most ${l.CLAIM_VALUES_MAX} values |
| Client assertion | ${number(l.PROOF_MAX)} characters, \`exp\` at most ${duration(l.CLIENT_ASSERTION_SECONDS)} ahead |
| DPoP proof | ${number(l.PROOF_MAX)} characters, ${l.PROOF_SKEW_SECONDS} seconds of clock skew |
| Entries of a list | ${l.LIST_LIMIT} entries, or up to ${l.LIST_LIMIT_MAX} with \`limit\` |

## Records

| What | Limit |
|---|---|
| Passkeys; device keys; linked provider accounts of a user | ${l.PASSKEYS_MAX}; ${l.DEVICE_KEYS_MAX}; ${l.IDENTITIES_MAX} |
| Lifetime of a challenge for a passkey; for a device key | ${duration(l.WEBAUTHN_CHALLENGE_SECONDS)}; ${duration(l.APPROVAL_SECONDS)} |
| A resource URI that its tenant has given up | reserved for the tenant for ${duration(l.ABANDONED_URI_SECONDS)} |
| Applications of a tenant | ${number(l.APPLICATIONS_DEFAULT)}; \`otl tenant update --max-applications\` sets 1 to ${number(l.APPLICATIONS_MAX)} |
| Deleting an organization or user within the call | ${l.JOB_CALL_SECONDS} seconds. After this time, the response is 202, and the deletion is usually complete within ${l.JOBS_INTERVAL_MINUTES + l.JOB_TAKEOVER_SECONDS / 60} minutes. \`otl jobs\` shows the progress |
| Client document of an agent; its redirect URIs; the time to fetch it | ${kilobytes(l.DOCUMENT_BYTES_MAX)}; ${l.DOCUMENT_REDIRECT_URIS_MAX}; ${l.DOCUMENT_MILLISECONDS / 1000} seconds |
| Permissions in all roles of an application together | ${l.PERMISSIONS_OF_ROLES_MAX} |
| Confirmed link hosts of an application | ${l.LINK_HOSTS_MAX} |
| Webhooks of a tenant | ${l.LIST_LIMIT_MAX} |
| Time for which a function caches configuration | ${duration(l.DIRECTORY_CACHE_SECONDS)} |
| Time for which clients may cache public keys, metadata and the API document | ${duration(l.PUBLIC_CACHE_SECONDS)} |
`;
