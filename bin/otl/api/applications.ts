import { leftOff } from '../../../lib/operator/applications/left-off.ts';
import type { ApplicationRecord } from '../../../shared/ports/directory.ts';

/** What the application leaves off, with the options that switch it on. */
export function offNote(application: ApplicationRecord): string {
  const off = leftOff(application);
  if (off.length === 0) return 'It has all that the demo has.';
  return [
    `Off, until otl application update ${application.app_id} says:`,
    ...off.map(({ effect, options }) => `  ${effect}: ${options}`),
  ].join('\n');
}

/** What a new application still lacks before it can log people in. */
export const stepsAfter = (application: ApplicationRecord): string =>
  [
    'Next, or with --kind and --address at once:',
    `  otl client create --app ${application.app_id} --name <name>`,
    '',
    offNote(application),
  ].join('\n');
