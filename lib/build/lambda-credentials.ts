/**
 * Replaces the SDK's chain of credential sources. Lambda puts credentials into the environment; the chain (single sign-on,
 * profiles, instance metadata) would be a fifth of every bundle and of its loading time.
 */
export { fromEnv as defaultProvider } from '@aws-sdk/credential-provider-env';
