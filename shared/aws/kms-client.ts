/** Names what the service uses: a dynamic import of the package would bundle all of it. */
export { DecryptCommand, GenerateMacCommand, KMSClient, SignCommand } from '@aws-sdk/client-kms';
