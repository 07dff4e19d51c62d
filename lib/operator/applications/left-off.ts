import type { ApplicationRecord } from '../../../shared/ports/directory.ts';

/** Feature that the demo application uses and that the examined application does not use. */
export interface MissingFeature {
  readonly effect: string;
  /** Options of `otl application update` that switch the feature on. */
  readonly options: string;
}

const METHODS = {
  link: 'no magic links by mail',
  email: 'no codes by mail',
  sms: 'no codes by text message',
  direct: 'no codes through your own channel',
  passkey: 'no passkeys',
} as const;

/** Returns the features of the demo application that this application does not use, with their effect on users. */
export function findMissingFeatures(application: ApplicationRecord): readonly MissingFeature[] {
  const { redirect_uris: redirectUris, login_preferences: loginPreferences = {} } = application;
  const { post_logout_redirect_uris: postLogoutRedirectUris = [], origins = [] } = application;
  const settings: readonly (MissingFeature & { readonly off: boolean })[] = [
    { off: !application.public_signup, effect: 'new people cannot sign up', options: '--public-signup yes' },
    {
      off: !application.hosted_sign_up,
      effect: 'the hosted pages create no account unless a request asks for it',
      options: '--hosted-sign-up yes',
    },
    {
      off: redirectUris.length === 0,
      effect: 'logins in a browser cannot complete',
      options: '--redirect-uri <uri>',
    },
    {
      off: postLogoutRedirectUris.length === 0,
      effect: 'a logout cannot return to your pages',
      options: '--post-logout-redirect-uri <uri>',
    },
    {
      off: origins.length === 0,
      effect: 'your own pages cannot use passkeys',
      options: '--origin <origin>',
    },
    {
      off: !application.offer_passkeys,
      effect: 'users are not offered a passkey after a login',
      options: '--offer-passkeys yes',
    },
    {
      off: application.id_token_claims !== 'all',
      effect: 'ID tokens have email and groups only where scope or claims ask for them',
      options: '--id-token-claims all',
    },
    ...Object.entries(METHODS).map(([method, effect]) => ({
      off: !Object.hasOwn(loginPreferences, method),
      effect,
      options: `--login-preferences '{"${method}": {}}'`,
    })),
  ];
  return settings.flatMap(({ off, ...leftOut }) => (off ? [leftOut] : []));
}
