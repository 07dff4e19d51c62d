/** Names what the service uses: a dynamic import of the package would bundle all of it. */
export { SESClient, SendRawEmailCommand } from '@aws-sdk/client-ses';
