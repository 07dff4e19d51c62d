import * as l from '../../../shared/domain/basis/limits.ts';
import { toDurationText as duration } from '../../operator/words/durations.ts';

// Generates the page functions/LIMITS.md from the constants in limits.ts.

const number = (value: number): string => value.toLocaleString('en-US');

const minutes = (count: number): string => duration(count * 60);
const computeShare = (max: number, share: number): number => Math.ceil(max * share);
const kilobytes = (bytes: number): string => `${bytes / 1024} KB`;

export const limitsPage = (): string => `<!-- The command \`npm run pages\` generates this page. -->

# Limits

This page lists the limits that callers and users can reach. The pages on [accounts](account/README.md),
[agents](oauth/AGENTS.md) and [notices](events/README.md#notices) list further limits, and the API document lists the
minimum and maximum of each field. A limit marked \`fixed\` can be changed only in
[limits.ts](../shared/domain/basis/limits.ts). Rate limits are counted per calendar minute, hour or day (UTC).

## Passcodes and links

An application sets the limits of passcodes and links in \`login_preferences\`. [The
decisions](DECISIONS.md#wrong-passcodes) explain how failed attempts are counted.

| Limit | Default | Range | Changed by |
|---|---|---|---|
| Digits of a passcode | ${l.PASSCODE_DIGITS} | ${l.PASSCODE_DIGITS_MIN} to ${l.PASSCODE_DIGITS_MAX} | \`digits\` |
| Lifetime of a passcode | ${minutes(l.PASSCODE_EXPIRES_MINUTES)} | up to ${minutes(l.PASSCODE_EXPIRES_MINUTES_MAX)} | \`expires_minutes\`, \`expires_in\` |
| Failed attempts before lockout | ${l.PASSCODE_MAX_TRIES} | 1 to ${l.PASSCODE_MAX_TRIES_MAX} | \`max_tries\` |
| Duration of the lockout | ${minutes(l.PASSCODE_LOCK_MINUTES)} | up to ${minutes(l.PASSCODE_LOCK_MINUTES_MAX)} | \`lock_minutes\` |
| Maximum consecutive failures | After ${l.PASSCODE_MAX_FAILURES} consecutive failed attempts, the user can no longer log in with a passcode. | | fixed |
| Counting failed attempts | A failed passcode attempt is no longer counted after ${duration(l.PASSCODE_FAILURES_KEPT_SECONDS)}. | | fixed |
| Lifetime of a link | ${minutes(l.LINK_EXPIRES_MINUTES)} | up to ${minutes(l.LINK_EXPIRES_MINUTES_MAX)} | \`link.expires_minutes\`, \`email_expiration\` |

## Tokens and sessions

| Limit | Default | Range | Changed by |
|---|---|---|---|
| Access token lifetime | ${duration(l.ACCESS_TOKEN_SECONDS)} | The lifetime can be from ${duration(l.RESOURCE_TTL_MIN_SECONDS)} to ${duration(l.RESOURCE_ACCESS_TTL_MAX_SECONDS)}, or for management clients to ${duration(l.CLIENT_TOKEN_SECONDS)}. | \`access_token_ttl\` (resource, client) |
| ID token lifetime | ${duration(l.ID_TOKEN_SECONDS)} | | fixed |
| Refresh token lifetime | ${duration(l.REFRESH_TOKEN_SECONDS)} | ${duration(l.RESOURCE_TTL_MIN_SECONDS)}–${duration(l.RESOURCE_REFRESH_TTL_MAX_SECONDS)} | \`refresh_token_ttl\` (resource, client) |
| Refresh token family lifetime | ${duration(l.REFRESH_FAMILY_SECONDS)} | ${duration(l.RESOURCE_TTL_MIN_SECONDS)}–${duration(l.RESOURCE_REFRESH_TTL_MAX_SECONDS)} | \`max_refresh_rotate\` (resource, client) |
| Idle session lifetime | ${duration(l.SESSION_IDLE_SECONDS)} | ${duration(l.SESSION_SECONDS_MIN)}–${duration(l.SESSION_SECONDS_MAX)} | \`session_idle_seconds\` |
| Total session lifetime | ${duration(l.SESSION_ABSOLUTE_SECONDS)} | ${duration(l.SESSION_SECONDS_MIN)}–${duration(l.SESSION_SECONDS_MAX)} | \`session_absolute_seconds\` |
| Fresh login | A user may add or remove a passkey, device key or phone number within ${duration(l.BINDING_MAX_AGE_SECONDS)} after a login. | ${duration(l.BINDING_MAX_AGE_SECONDS_MIN)}–${duration(l.BINDING_MAX_AGE_SECONDS_MAX)} | \`binding_max_age_seconds\` |
| Lifetimes with \`aal1\` and \`aal2\` | \`aal1\`: total ${duration(l.AAL1_ABSOLUTE_SECONDS)}; \`aal2\`: idle ${duration(l.AAL2_IDLE_SECONDS)}, total ${duration(l.AAL2_ABSOLUTE_SECONDS)} | | \`session_preset\` |
| Sessions per user | A user can have ${l.SESSIONS_MAX} sessions. A login beyond the limit ends the least recently used session of the user. | | fixed |
| Remembered devices | The service remembers ${l.SEEN_DEVICES_MAX} devices per user, to detect logins from new devices. A new device beyond the limit replaces the oldest remembered device. | | fixed |
| Logins per session | A session can have ${l.SESSION_FAMILIES_MAX} logins with refresh tokens. A login beyond the limit replaces the least recently used login of the session. | | fixed |
| Authorization code lifetime | ${duration(l.AUTHORIZATION_CODE_SECONDS)} | | fixed |
| Pushed request lifetime | ${duration(l.PUSHED_REQUEST_SECONDS)} | | fixed |
| Browser login duration | ${duration(l.LOGIN_TRANSACTION_SECONDS)} | | fixed |
| Social login duration | ${duration(l.UPSTREAM_LOGIN_SECONDS)} | | fixed |
| Time of provider calls | All calls to a social provider within one request may take ${l.PROVIDER_MILLISECONDS / 1000} seconds in total. Each call may take ${l.PROVIDER_CALL_MILLISECONDS / 1000} seconds. | | fixed |
| Known browsers per user | The service remembers ${l.KNOWN_DEVICES_MAX} known browsers per user, each for ${duration(l.KNOWN_DEVICE_SECONDS)}. | | fixed |

## Rate limits

Each application can set its own rate limits in \`rate_limits\`, each from 1 to ${number(l.RATE_LIMIT_MAX)}. A browser is unknown if the
user has never logged in with this browser.

| Limit | Default | Changed by |
|---|---|---|
| Messages per recipient | Each channel of an application can send ${l.SENDS_PER_MINUTE} messages a minute and ${l.SENDS_PER_DAY} messages a day to one mailbox or phone number. | \`sends_per_minute\`, \`sends_per_day\` |
| Unknown browsers | Unknown browsers can together request ${computeShare(l.SENDS_PER_MINUTE, l.UNKNOWN_BROWSER_SENDS_SHARE)} messages a minute and ${computeShare(l.SENDS_PER_DAY, l.UNKNOWN_BROWSER_SENDS_SHARE)} messages a day to one address on hosted pages. | share of \`sends_per_minute\`, \`sends_per_day\` |
| Unknown browsers per network | The unknown browsers of one network can request ${computeShare(l.SENDS_PER_DAY, l.UNKNOWN_BROWSER_SENDS_SHARE * l.UNKNOWN_BROWSER_NETWORK_SHARE)} messages in ${duration(l.UNKNOWN_BROWSER_WINDOW_SECONDS)} and ${computeShare(l.SENDS_PER_DAY, l.UNKNOWN_BROWSER_SENDS_SHARE * l.NETWORK_SENDS_SHARE)} messages a day to one address. | share of \`sends_per_day\` |
| Networks of trusted clients | One network can request ${computeShare(l.SENDS_PER_DAY, l.NETWORK_SENDS_SHARE)} messages a day to one address through a trusted client. | share of \`sends_per_day\` |
| Known browsers | Known browsers, and users who have already used a first factor in the login, can request ${computeShare(l.SENDS_PER_MINUTE, l.KNOWN_BROWSER_EXTRA_SHARE)} additional messages a minute and ${computeShare(l.SENDS_PER_DAY, l.KNOWN_BROWSER_EXTRA_SHARE)} additional messages a day to one address. | share of \`sends_per_minute\`, \`sends_per_day\` |
| Calls per client | A client can make ${l.CLIENT_CALLS_PER_MINUTE} calls a minute. Calls of public clients are counted separately for each network address. | \`calls_per_minute\` |
| Messages per network | One network (IPv6: /64) can request ${l.ANONYMOUS_SENDS_PER_MINUTE} messages a minute and ${number(l.ANONYMOUS_SENDS_PER_DAY)} messages a day on hosted pages or through a trusted client. | \`anonymous_per_minute\`, \`anonymous_per_day\` |
| Sign-ups per network | One network can request ${l.ANONYMOUS_SIGN_UPS_PER_MINUTE} messages a minute to addresses that no user has, on hosted pages or through a trusted client. | \`anonymous_sign_ups_per_minute\` |
| Agents' metadata documents | Each minute, the service fetches at most ${l.DOCUMENTS_PER_NETWORK} metadata documents of [agents](oauth/AGENTS.md#the-document) for one network, ${l.DOCUMENTS_PER_HOST} for one host, and ${l.DOCUMENTS_PER_APPLICATION} for one application. Cached documents do not count. | fixed |
| Anonymous calls per function | Each instance of a Lambda function accepts ${number(l.ANONYMOUS_CALLS_PER_MINUTE)} calls a minute without a token or secret from one network. | fixed |
| Anonymous calls per IP | The AWS WAF web ACL accepts ${number(l.ANONYMOUS_CALLS_PER_5_MINUTES)} calls without a token or secret from one IP address in 5 minutes. | fixed |
| Failed client authentications | One network can fail to authenticate clients of a tenant ${l.CLIENT_FAILURES_PER_MINUTE} times a minute and ${l.CLIENT_FAILURES_PER_HOUR} times an hour. Correct client secrets are accepted even if the limit is reached. | fixed |
| SMS per number range | An application can send ${l.SMS_PER_PREFIX_PER_HOUR} SMS an hour and ${l.SMS_PER_PREFIX_PER_DAY} SMS a day to phone numbers with the same first ${l.SMS_PREFIX_DIGITS} digits. | \`sms_per_prefix_per_hour\`, \`sms_per_prefix_per_day\` |
| Unused SMS codes | After ${l.SMS_UNVERIFIED_PER_PREFIX} unused SMS codes in a day to phone numbers with the same first ${l.SMS_PREFIX_DIGITS} digits, the service sends only ${l.SMS_PROBES_PER_HOUR} SMS an hour to these numbers. Each SMS code that is used allows ${l.SMS_ALLOWED_PER_USED_CODE} more SMS. | \`sms_unverified_per_prefix\` |
| SMS of a tenant | A tenant may send ${number(l.SMS_PER_TENANT_PER_DAY)} SMS a day and ${number(l.SMS_PER_TENANT_PER_30_DAYS)} SMS in 30 days. At most ${l.SMS_BUDGET_SHARE_OF_SIGN_UPS * 100} % of the SMS may go to numbers that no user has. | \`--sms-per-day\`, \`--sms-per-30-days\` (tenant) |

## Requests

| What | Limit |
|---|---|
| Body of a request | ${kilobytes(l.BODY_MAX_BYTES)} |
| URL of a request | A URL may be at most ${kilobytes(l.URL_MAX_BYTES)} long. CloudFront responds to longer URLs with 413. |
| Request line and headers | The request line and the headers may have ${kilobytes(l.REQUEST_MAX_BYTES)} together. If both together are longer, CloudFront responds with 413. |
| Headers at API Gateway | If API Gateway receives the request, the request line and header values may have ${kilobytes(l.REQUEST_HEAD_MAX_BYTES)}. AWS does not document the response to longer headers. The local server responds with 431 (RFC 6585 §5). |
| \`state\`; \`nonce\` | \`state\` may be up to ${kilobytes(l.STATE_MAX_BYTES)} long after percent-encoding. \`nonce\` may have up to ${l.NONCE_MAX} characters. |
| \`claims\` | \`claims\` may contain up to ${kilobytes(l.CLAIMS_REQUEST_MAX_BYTES)} of JSON and at most ${l.CLAIM_VALUES_MAX} values. |
| Client assertion | A client assertion may be up to ${number(l.PROOF_MAX)} characters long, and must expire within ${duration(l.CLIENT_ASSERTION_SECONDS)} (\`exp\`). |
| DPoP proof | A DPoP proof may be up to ${number(l.PROOF_MAX)} characters long. The \`iat\` of the proof may differ from the service's clock by ${l.PROOF_SKEW_SECONDS} seconds. |
| Entries per list page | A list page has ${l.LIST_LIMIT} entries by default, and up to ${l.LIST_LIMIT_MAX} entries with the parameter \`limit\`. |

## Records

| What | Limit |
|---|---|
| Credentials per user | A user may have up to ${l.PASSKEYS_MAX} passkeys, ${l.DEVICE_KEYS_MAX} device keys and ${l.IDENTITIES_MAX} linked accounts at identity providers. |
| Lifetime of a challenge | A passkey challenge is valid for ${duration(l.WEBAUTHN_CHALLENGE_SECONDS)}, and a device key challenge for ${duration(l.APPROVAL_SECONDS)}. |
| Applications per tenant | A tenant may have ${number(l.APPLICATIONS_DEFAULT)} applications by default. \`otl tenant update --max-applications\` accepts 1 to ${number(l.APPLICATIONS_MAX)} applications. |
| Duration of a deletion | If the deletion of an organization or user takes longer than ${l.JOB_CALL_SECONDS} seconds, the response is 202, and the deletion usually ends within ${l.JOBS_INTERVAL_MINUTES + l.JOB_TAKEOVER_SECONDS / 60} minutes. \`otl jobs\` shows the progress of the deletion. |
| Permissions in roles | All roles of one application together can contain ${l.PERMISSIONS_OF_ROLES_MAX} permissions. |
| Hosts of branding links | Operators can confirm ${l.LINK_HOSTS_MAX} hosts for the branding links of one application. |
| Webhooks per tenant | ${l.LIST_LIMIT_MAX} |
`;
