/**
 * In the place of the SDK's chain of credential sources: a Lambda function's credentials are in its environment, and the
 * chain (single sign-on, profiles, instance metadata) would be a fifth of every bundle and of its loading time.
 */
export { fromEnv as defaultProvider } from '@aws-sdk/credential-provider-env';
