import type { Mailer } from '../ports/delivery.ts';
import { SENDING_SETTINGS, sendOnce } from './sending.ts';

/**
 * Unverified senders, rejected contents, unusable addresses, a paused account. A missing configuration set or permission is
 * a fault of the deployment and not listed.
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

/** Sends by Amazon SES. Loads the client with the first mail: most containers start for other work. */
export function sesMailer(settings: {
  readonly configurationSet?: string | undefined;
  readonly environment: string;
}): Mailer {
  const { configurationSet, environment } = settings;
  let loaded: Promise<(mail: Parameters<Mailer['send']>[0]) => Promise<unknown>> | undefined;
  const load = async () => {
    const { SESClient, SendRawEmailCommand } = await import('./ses-client.ts');
    const client = new SESClient(SENDING_SETTINGS);
    return ({ from, to, raw, tenantId }: Parameters<Mailer['send']>[0]) =>
      client.send(
        new SendRawEmailCommand({
          Source: from,
          Destinations: [to],
          RawMessage: { Data: raw },
          ConfigurationSetName: configurationSet,
          // The events of the mail carry them.
          Tags: [
            { Name: 'environment', Value: environment },
            { Name: 'tenant', Value: tenantId },
          ],
        }),
      );
  };
  return {
    async send(mail) {
      loaded ??= load();
      const deliver = await loaded;
      await sendOnce(() => deliver(mail), REFUSALS);
    },
  };
}
