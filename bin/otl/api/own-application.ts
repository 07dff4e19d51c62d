import { open, rm } from 'node:fs/promises';
import {
  APPLICATION_KINDS,
  buildLoginSnippet,
  type CreatedApplication,
  ownApplication,
  toEnvironmentFile,
} from '../../../lib/operator/applications/own-application.ts';
import type { ApplicationRecord } from '../../../shared/ports/directory.ts';
import type { Api } from '../engine/api.ts';
import type { CommandInput } from '../engine/command.ts';
import { UsageError } from '../terminal/failure.ts';
import type { Outcome } from '../terminal/outcome.ts';
import { describeMissingFeatures } from './applications.ts';

export const KIND_OPTIONS = {
  'kind <kind>': `kind of application, to create its client and settings too: ${Object.entries(
    APPLICATION_KINDS,
  )
    .map(([kind, words]) => `${kind} (${words})`)
    .join('; ')}`,
  'address <uri>': 'URL where the application runs, such as http://localhost:8080, or its redirect URI',
  'dotenv <path>': 'new file for the environment variables of its program, such as CLIENT_ID',
};

/**
 * Creates a file that only its owner can read, and writes the result of `make` to it. The file is opened before `make` is
 * called, so that an unwritable path changes nothing. If `make` fails, the file is deleted.
 */
async function intoNewFile<Made>(
  path: string,
  make: () => Promise<Made>,
  toText: (made: Made) => string,
): Promise<Made> {
  const file = await open(path, 'wx', 0o600).catch(({ code }) => {
    throw new UsageError(`--dotenv ${path} ${code === 'EEXIST' ? 'exists' : 'cannot be written'}.`);
  });
  try {
    const made = await make();
    await file.writeFile(toText(made));
    return made;
  } catch (error) {
    await rm(path);
    throw error;
  } finally {
    await file.close();
  }
}

/** Creates an application of the given kind and its client. Prints the code that logs a user in. */
export async function createWithClient(
  api: Api,
  kind: string,
  { body, option }: CommandInput,
): Promise<Outcome> {
  const { baseUrl } = api;
  const asked = { kind, address: option('address'), settings: body as object };
  const { applicationBody, clientBody, redirectUri } = ownApplication(asked);
  const post = async <Made>(path: string, json: object) =>
    ((await api.call({ method: 'POST', path, json })) as { readonly result: Made }).result;
  const make = async (): Promise<CreatedApplication & ApplicationRecord> => {
    const application = await post<ApplicationRecord>('/v1/applications', applicationBody);
    const path = `/v1/applications/${application.app_id}/clients`;
    const { client_id, client_secret } = await post<CreatedApplication>(path, clientBody);
    return { ...application, client_id, ...(client_secret !== undefined && { client_secret }) };
  };
  const path = option('dotenv');
  const made =
    path === undefined
      ? await make()
      : await intoNewFile(path, make, (own) => toEnvironmentFile(kind, baseUrl, own));
  const { client_id, client_secret, ...application } = made;
  return {
    record: {
      ...application,
      issuer: `${baseUrl}/oidc`,
      client_id,
      ...(client_secret !== undefined && { client_secret }),
    },
    note: [
      ...(client_secret === undefined
        ? []
        : ['Save client_secret now. It is stored as a hash and cannot be shown again.', '']),
      buildLoginSnippet(kind, { baseUrl, clientId: client_id, redirectUri }),
      '',
      describeMissingFeatures(application as ApplicationRecord),
      ...(kind === 'api'
        ? []
        : [`To add another address: otl application add-redirect-uri ${application.app_id} --uri <uri>`]),
    ].join('\n'),
  };
}
