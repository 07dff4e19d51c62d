/** What the service uses of the SDK's package: a dynamic import of the package itself would bundle all of it. */
export { DecryptCommand, GenerateMacCommand, KMSClient, SignCommand } from '@aws-sdk/client-kms';
