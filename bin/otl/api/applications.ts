import { findMissingFeatures } from '../../../lib/operator/applications/left-off.ts';
import type { ApplicationRecord } from '../../../shared/ports/directory.ts';

/** Returns a text that lists the features that an application does not use, each with the options that switch it on. */
export function describeMissingFeatures(application: ApplicationRecord): string {
  const off = findMissingFeatures(application);
  if (off.length === 0) return 'The application has every feature of the demo application.';
  return [
    `These features are off. To switch one on, run otl application update ${application.app_id} with:`,
    ...off.map(({ effect, options }) => `  ${effect}: ${options}`),
  ].join('\n');
}

/** Returns a text that lists the remaining steps before users can log in to a new application. */
export const describeNextSteps = (application: ApplicationRecord): string =>
  [
    'Next step (with --kind and --address, otl application create does all steps at once):',
    `  otl client create --app ${application.app_id} --name <name>`,
    '',
    describeMissingFeatures(application),
  ].join('\n');
