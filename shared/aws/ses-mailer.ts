import { SESClient, SendRawEmailCommand } from '@aws-sdk/client-ses';
import { once } from '../domain/basis/await-all.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { Mailer, MessageSubject } from '../ports/delivery.ts';
import { createLeanSend } from '../sdk/lean-client.ts';
import { accepted, SENDING_SETTINGS, sendOnce } from './sending.ts';

/**
 * SES errors caused by unverified senders, rejected content, unusable addresses or a paused account. A missing configuration
 * set or permission is a fault of the deployment and is not listed.
 */
const REFUSALS: ReadonlySet<string> = new Set([
  'MessageRejected',
  'MailFromDomainNotVerified',
  'MailFromDomainNotVerifiedException',
  'FromEmailAddressNotVerified',
  'FromEmailAddressNotVerifiedException',
  'AccountSendingPaused',
  'AccountSendingPausedException',
  'ConfigurationSetSendingPaused',
  'ConfigurationSetSendingPausedException',
  'ProductionAccessNotGranted',
  'ProductionAccessNotGrantedException',
  'InvalidParameterValue',
]);

const DENIED = /^AccessDenied/;
/**
 * Advice for operators if IAM does not allow an email to be sent. While the account is in the SES sandbox, SES also checks the
 * IAM permission for the recipient's identity (AWS documentation, "Actions, resources, and condition keys").
 */
const ADVICE =
  'IAM denies this mail: in the SES sandbox, the recipient must be verified and mail.sandbox must be set.';

type Mail = Parameters<Mailer['send']>[0];

const subjectTags = (subject: MessageSubject) => [
  'userId' in subject
    ? { Name: 'user', Value: subject.userId }
    : { Name: 'recipient', Value: subject.recipientHash },
  ...(subject.applicationId === undefined ? [] : [{ Name: 'application', Value: subject.applicationId }]),
];

/** Creates a mailer over Amazon SES. The client is created with the first mail, or at function start if `early` is true. */
export function sesMailer(settings: {
  readonly early?: boolean | undefined;
  readonly configurationSet?: string | undefined;
  readonly environment: string;
  /** True if the AWS account is still in the SES sandbox, in which SES sends mail only to verified addresses. */
  readonly sandbox?: boolean;
}): Mailer {
  const { configurationSet, early, environment, sandbox } = settings;
  const deliver = once(() => {
    const send = createLeanSend(new SESClient(SENDING_SETTINGS));
    if (early) void send.prepare(new SendRawEmailCommand({ RawMessage: { Data: Buffer.of() } }));
    return ({ from, to, raw, tenantId, subject }: Mail) =>
      send(
        new SendRawEmailCommand({
          Source: from,
          Destinations: [to],
          RawMessage: { Data: raw },
          ConfigurationSetName: configurationSet,
          // The events that SES publishes about this mail contain these tags.
          Tags: [
            { Name: 'environment', Value: environment },
            { Name: 'tenant', Value: tenantId },
            ...subjectTags(subject),
          ],
        }),
      );
  });
  if (early) deliver();
  return {
    async send(mail) {
      return sendOnce(() => deliver()(mail), REFUSALS).then(accepted, (error: unknown) => {
        const detail = error instanceof ServiceError ? error.detail : {};
        const { cause } = detail;
        if (!(cause instanceof Error) || !DENIED.test(cause.name)) throw error;
        if (sandbox)
          throw new ServiceError('external_provider_configuration_error', { ...detail, message: ADVICE });
        Object.assign(cause, { advice: ADVICE });
        throw error;
      });
    },
  };
}
