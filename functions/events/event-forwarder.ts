import { eventBus } from '../../shared/aws/event-bus.ts';
import { required } from '../../shared/aws/settings.ts';
import { SECONDS_PER_DAY } from '../../shared/domain/basis/limits.ts';
import type { CreateBackground } from '../background.ts';
import { forward } from './forward.ts';
import { type LogsEvent, securityEventsOf } from './security-event.ts';

/** Reads the logs of all operations. A failure rejects the whole batch, and Lambda repeats it. */
export const create: CreateBackground<'event-forwarder', LogsEvent> = (ports, env) => {
  const bus = eventBus(required(env, 'EVENT_BUS'));
  const timelineSeconds = Number(required(env, 'TIMELINE_DAYS')) * SECONDS_PER_DAY;
  return (event) => forward({ ...ports, bus }, securityEventsOf(event), timelineSeconds);
};
