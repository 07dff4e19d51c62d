import { seenDevices, sessions, timeline, users } from '../../shared/aws/adapters.ts';
import { eventBus } from '../../shared/aws/event-bus.ts';
import { required } from '../../shared/aws/settings.ts';
import { SECONDS_PER_DAY } from '../../shared/domain/basis/limits.ts';
import { type ForwardPorts, forward } from './forward.ts';
import { type LogsEvent, securityEventsOf } from './security-event.ts';

let ports: ForwardPorts | undefined;

/** The function behind the logs of all operations. It fails as a whole, and Lambda brings the lines again. */
export async function handler(event: LogsEvent): Promise<void> {
  const context = { env: process.env };
  ports ??= {
    timeline: timeline(context),
    seenDevices: seenDevices(context),
    users: users(context),
    sessions: sessions(context),
    bus: eventBus(required(process.env, 'EVENT_BUS')),
  };
  const days = Number(required(process.env, 'TIMELINE_DAYS'));
  await forward(ports, securityEventsOf(event), days * SECONDS_PER_DAY);
}
