import { leftOff } from '../../../lib/operator/applications/left-off.ts';
import type { ApplicationRecord } from '../../../shared/ports/directory.ts';

/** Lists the settings that are off, with the options that switch them on. */
export function offNote(application: ApplicationRecord): string {
  const off = leftOff(application);
  if (off.length === 0) return 'It has all that the demo has.';
  return [
    `Off, until otl application update ${application.app_id} says:`,
    ...off.map(({ effect, options }) => `  ${effect}: ${options}`),
  ].join('\n');
}

/** Lists the steps that are left before a new application can log users in. */
export const stepsAfter = (application: ApplicationRecord): string =>
  [
    'Next, or with --kind and --address at once:',
    `  otl client create --app ${application.app_id} --name <name>`,
    '',
    offNote(application),
  ].join('\n');
