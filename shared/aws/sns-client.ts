/** What is used of the package, by name: an `import()` of the package itself would put all of it into the bundle. */
export { PublishCommand, SNSClient } from '@aws-sdk/client-sns';
