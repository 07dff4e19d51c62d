import { findMissingFeatures } from '../../../lib/operator/applications/left-off.ts';
import type { ApplicationRecord } from '../../../shared/ports/directory.ts';

/** Returns the text that lists the settings of an application that are off, with the options that switch them on. */
export function describeMissingFeatures(application: ApplicationRecord): string {
  const off = findMissingFeatures(application);
  if (off.length === 0) return 'It has every feature that the demo application has.';
  return [
    `Off. To switch a feature on, run otl application update ${application.app_id} with:`,
    ...off.map(({ effect, options }) => `  ${effect}: ${options}`),
  ].join('\n');
}

/** Returns the text that lists the steps left before a new application can log users in. */
export const describeNextSteps = (application: ApplicationRecord): string =>
  [
    'Next step (create with --kind and --address does all steps at once):',
    `  otl client create --app ${application.app_id} --name <name>`,
    '',
    describeMissingFeatures(application),
  ].join('\n');
