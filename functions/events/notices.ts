import { applications, mailer, replays, tenants, users, windows } from '../../shared/aws/adapters.ts';
import { required } from '../../shared/aws/settings.ts';
import { type NoticeMessage, type NoticePorts, tellAll } from './send-notices.ts';

let ports: NoticePorts | undefined;

/** The function that tells users by mail what happened to their account. What could not be sent comes again. */
export async function handler(event: { readonly Records: readonly NoticeMessage[] }) {
  const context = { env: process.env };
  ports ??= {
    users: users(context),
    applications: applications(context),
    tenants: tenants(context),
    replays: replays(context),
    windows: windows(context),
    mailer: mailer(context),
  };
  const failed = await tellAll(ports, required(process.env, 'MAIL_FROM'), event.Records);
  return { batchItemFailures: failed.map((itemIdentifier) => ({ itemIdentifier })) };
}
