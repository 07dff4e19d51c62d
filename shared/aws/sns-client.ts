/** Names what the service uses: a dynamic import of the package would bundle all of it. */
export { PublishCommand, SNSClient } from '@aws-sdk/client-sns';
