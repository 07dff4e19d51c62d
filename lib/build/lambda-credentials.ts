// Replaces the AWS SDK's chain of credential providers. Lambda passes credentials in environment variables. The other providers
// of the chain (single sign-on, profiles, instance metadata) would make up a fifth of every bundle and of its loading time.
export { fromEnv as defaultProvider } from '@aws-sdk/credential-provider-env';
