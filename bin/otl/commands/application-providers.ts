import { createPrivateKey } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { text as textOf } from 'node:stream/consumers';
import { nowSeconds } from '../../../shared/domain/basis/time.ts';
import {
  applicationRecord,
  applicationWithFields,
} from '../../../shared/domain/management/application-record.ts';
import { requireApplication, updateApplication } from '../../../shared/domain/management/applications.ts';
import { check } from '../../../shared/http/parse.ts';
import type { ProviderName, ProviderSecret } from '../../../shared/ports/providers.ts';
import { believedProviders, isProvider, PROVIDERS, providers } from '../../../shared/records/providers.ts';
import { UpdateApplicationBody } from '../../../shared/schemas/applications.ts';
import type { Call, Command } from '../engine/command.ts';
import { UsageError } from '../terminal/failure.ts';

const provider = { 'provider <name>': PROVIDERS.join(', ') };

function providerOf({ option }: Pick<Call, 'option'>): ProviderName {
  const name = option('provider');
  if (!isProvider(name)) throw new UsageError(`--provider must be one of ${PROVIDERS.join(', ')}.`);
  return name;
}

/** From a file or the input: other users of the machine can read the command line. */
async function readSecret(file: string): Promise<string> {
  const given = file === '-' ? await textOf(process.stdin) : await readFile(file, 'utf8');
  const secret = given.trim();
  if (secret === '') throw new UsageError('The secret is empty.');
  return secret;
}

/** Apple's .p8 file: a private key on the curve P-256. */
function requireAppleKey(pem: string): string {
  try {
    if (createPrivateKey(pem).asymmetricKeyDetails?.namedCurve === 'prime256v1') return pem;
  } catch {
    // The message below does not repeat the key.
  }
  throw new UsageError('The secret of Apple is its .p8 file: a private key on the curve P-256, in PEM.');
}

async function secretOf(name: ProviderName, { option }: Call): Promise<ProviderSecret> {
  const secret = await readSecret(option('secret-file') ?? '');
  const issuer = option('issuer');
  if (issuer !== undefined) return { clientSecret: secret, issuer };
  if (providers[name].secret === 'shown') return { clientSecret: secret };
  const [teamId, keyId] = [option('team-id'), option('key-id')];
  if (!teamId || !keyId) throw new UsageError('Apple needs --team-id and --key-id beside its .p8 file.');
  return { teamId, keyId, privateKey: requireAppleKey(secret) };
}

function readFlag(name: string, value: string | undefined): boolean | undefined {
  if (value === undefined) return undefined;
  if (value !== 'yes' && value !== 'no') throw new UsageError(`--${name} must be yes or no.`);
  return value === 'yes';
}

/** Stores the secret first: logins by a provider without its secret would end in an error. */
const setProvider: Command = {
  verb: 'set-provider',
  summary: 'Lets users log in by a social provider',
  changes: 'management.changed',
  id: 'required',
  required: {
    ...provider,
    'client-id <id>': 'how the provider knows the application',
    'secret-file <file>': 'client secret, or the .p8 file of Apple; - reads the input',
  },
  options: {
    'team-id <id>': 'team ID, of Apple',
    'key-id <id>': 'ID of the .p8 key, of Apple',
    'issuer <address>': "any OpenID provider in the place of the provider's own",
    'trusted-for-email <yes|no>': `whether its verified addresses count (default: ${believedProviders()} yes)`,
  },
  examples: [
    '0a1b2c --provider google --client-id 123.apps.googleusercontent.com --secret-file google.secret',
    '0a1b2c --provider apple --client-id com.example.login --team-id A1B2C3D4E5 --key-id F6G7H8I9J0 --secret-file AuthKey.p8',
  ],
  run: async (call) => {
    const { ports, tenant, leave, id, option } = call;
    const name = providerOf(call);
    const preference = {
      client_id: option('client-id'),
      issuer: option('issuer'),
      trusted_for_email: readFlag('trusted-for-email', option('trusted-for-email')),
    };
    const body = check(UpdateApplicationBody, { login_preferences: { [name]: preference } });
    const own = { tenant: await tenant(), applicationId: id, leave };
    // Refuses first what the change below would refuse: the former secret stays then.
    applicationWithFields(await requireApplication(ports, own.tenant, id), body, nowSeconds(), leave);
    await ports.providerSecretRecords.put(id, name, await secretOf(name, call));
    const changed = await updateApplication(ports, own, body, nowSeconds());
    return { record: applicationRecord(changed) };
  },
};

const removeProvider: Command = {
  verb: 'remove-provider',
  summary: 'Ends logins by a social provider, and deletes its secret; users keep their accounts there',
  changes: 'management.changed',
  id: 'required',
  required: provider,
  confirm: (id) => `End logins to the application ${id} by this provider`,
  examples: ['0a1b2c --provider facebook --yes'],
  run: async (call) => {
    const { ports, tenant, id } = call;
    const name = providerOf(call);
    const body = check(UpdateApplicationBody, { login_preferences: { [name]: null } });
    const own = { tenant: await tenant(), applicationId: id };
    const record = applicationRecord(await updateApplication(ports, own, body, nowSeconds()));
    await ports.providerSecretRecords.remove(id, name);
    return { record };
  },
};

export const providerCommands: readonly Command[] = [setProvider, removeProvider];
