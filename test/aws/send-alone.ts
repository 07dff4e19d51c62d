/**
 * Sends one message from a process of its own: `ses <address>` or `sns <number>`. Prints `sent`, or the failure and its cause.
 * In a jest realm errors of the network are no instances of `Error`, and the SDK hides what it does not know as one.
 */
import { sesMailer } from '../../shared/aws/ses-mailer.ts';
import { snsTexter } from '../../shared/aws/sns-texter.ts';
import { ServiceError } from '../../shared/errors/service-error.ts';

const [service, to = ''] = process.argv.slice(2);
const sending =
  service === 'ses'
    ? sesMailer({}).send({
        from: 'login@example.com',
        to,
        raw: Buffer.from('Subject: Hello\r\n\r\nHello\r\n'),
      })
    : snsTexter().send({ to, text: 'Hello' });

await sending.then(
  () => console.log('sent'),
  (error: unknown) => {
    if (!(error instanceof ServiceError)) throw error;
    const cause = error.detail.cause as { readonly code?: string };
    console.log(`${error.key} ${cause.code}`);
  },
);
