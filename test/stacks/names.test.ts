import { expect, test } from '@jest/globals';
import { Cloud } from './support/cloud.ts';
import { synthesized } from './support/synthesized.ts';

/**
 * Stacks of an environment and their functions, without the prefix `otl-<environment>-`. Changing a name replaces the deployed
 * resource, so a change needs a migration plan.
 */
const NAMES: Readonly<Record<string, string>> = {
  data: '',
  api: 'edge-records first-signing-key',
  events: 'event-forwarder jobs notices watch webhooks',
  mail: '',
  sms: 'sms-settings',
  'mail-events': 'mail-events sms-events',
  operations: '',
  backup: '',
  'api-one-time': `
    one-time-authenticate-magic-link one-time-authenticate-otp one-time-open-magic-link
    one-time-send-magic-link one-time-send-otp
  `,
  'api-browser': `
    browser-authorize browser-authorize-by-post browser-login-act browser-login-page
    browser-login-passkey browser-login-passkey-options browser-passkey-login
    browser-passkey-registration browser-push-request browser-push-request-rfc9126
  `,
  'api-account': `
    account-add-identity account-add-passkey account-cancel-erasure account-change-email
    account-change-phone account-change-profile account-delete-account account-deletion-page
    account-download-data account-end-consent account-end-other-sessions account-end-session
    account-grant-recovery account-name-passkey account-notice-link-page account-open-notice-link
    account-page account-remove-address account-remove-device-key account-remove-identity
    account-remove-passkey
  `,
  'api-social': 'social-callback social-start social-start-hosted',
  'api-code-based': `
    code-based-continue-login code-based-open-link code-based-resume code-based-send-email-otp
    code-based-send-link code-based-send-sms-otp code-based-validate-email-otp
    code-based-validate-sms-otp
  `,
  'api-console': 'console-binding console-login console-screen',
  'api-tokens': `
    tokens-discovery tokens-introspection tokens-jwks tokens-refresh tokens-retrieve-tokens
    tokens-revocation tokens-token tokens-user-info
  `,
  'api-sessions': `
    sessions-authenticate-session sessions-bind-session sessions-end-sessions sessions-list-sessions sessions-logout
    sessions-logout-by-post sessions-logout-page sessions-logout-session
  `,
  'api-resources': `
    resources-create-resource resources-delete-resource resources-find-resource-by-uri
    resources-get-resource resources-list-resources resources-update-resource
  `,
  'api-passkeys': `
    passkeys-app-site-association passkeys-asset-links passkeys-authenticate passkeys-delete
    passkeys-delete-own passkeys-list passkeys-list-own passkeys-passkey-endpoints passkeys-register
    passkeys-register-external passkeys-registration-hint passkeys-related-origins passkeys-rename
    passkeys-rename-own passkeys-start-login passkeys-start-registration
  `,
  'api-approvals': `
    approvals-authenticate approvals-create-device-key approvals-delete-device-key
    approvals-list-device-keys approvals-start
  `,
  'api-users': `
    users-clear-phone-risk users-create-user users-delete-user users-export-user users-find-users
    users-get-user users-get-user-by-email users-get-user-by-phone-number users-get-user-by-username
    users-list-deliveries users-list-users users-read-test-code users-report-delivery
    users-set-phone-risk users-unlock-user users-update-user users-user-timeline
  `,
  'api-management': `
    management-add-client-secret management-add-management-client-secret
    management-create-application management-create-client management-create-management-client
    management-delete-application management-delete-client management-delete-management-client
    management-get-application management-get-client management-get-login-preferences
    management-get-management-client management-get-statistics management-list-applications
    management-list-changes management-list-clients management-list-management-clients
    management-revoke-client-secret management-revoke-management-client-secret
    management-update-application management-update-client management-update-login-preferences
    management-update-management-client
  `,
  'api-webhooks': `
    webhooks-add-webhook-secret webhooks-create-webhook webhooks-delete-webhook webhooks-get-webhook
    webhooks-list-webhook-deliveries webhooks-list-webhooks webhooks-send-webhook-again
    webhooks-test-webhook webhooks-update-webhook
  `,
  'api-operators': `
    operators-accept-invitation operators-confirm-operator operators-invitation-page
    operators-invite-operator operators-list-operators operators-own-operator
    operators-remove-operator operators-set-operator-role
  `,
  'api-organizations': `
    organizations-create-member organizations-create-organization organizations-delete-member
    organizations-delete-organization organizations-get-member organizations-get-organization
    organizations-list-members organizations-list-organizations organizations-update-member
    organizations-update-organization
  `,
  'api-meta': 'meta-fallback meta-health meta-openapi',
  routes: '',
  global: '',
  edge: '',
  'console-edge': '',
  'edge-log': '',
};

test.each(['eu', 'sandbox'] as const)(
  'the stacks and functions of the environment %s have the expected names',
  (environment) => {
    const prefix = `otl-${environment}-`;
    const { templates } = synthesized(environment);
    const functions = new Cloud(templates).functions();
    const found = Object.keys(templates).map((stack) => [
      stack.replace(prefix, ''),
      functions
        .filter((each) => each.stack === stack)
        .map(({ name }) => name.replace(prefix, ''))
        .toSorted(),
    ]);
    const {
      backup,
      'edge-log': edgeLog,
      ...others
    } = Object.fromEntries(
      Object.entries(NAMES).map(([stack, words]) => [stack, words.split(/\s+/).filter(Boolean)]),
    );
    // The sandbox environment has no backups and no CloudFront log. It has no alarms, so it has no function `watch`.
    const unwatched = { ...others, events: others.events?.filter((name) => name !== 'watch') };
    expect(Object.fromEntries(found)).toEqual(
      environment === 'sandbox' ? unwatched : { ...others, backup, 'edge-log': edgeLog },
    );
  },
);
