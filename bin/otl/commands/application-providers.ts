import { createPrivateKey } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { text as textOf } from 'node:stream/consumers';
import { omitUndefined } from '../../../shared/domain/basis/omit-undefined.ts';
import { nowSeconds } from '../../../shared/domain/basis/time.ts';
import {
  applyApplicationFields,
  toApplicationRecord,
} from '../../../shared/domain/management/application-record.ts';
import { requireApplication, updateApplication } from '../../../shared/domain/management/applications.ts';
import { check } from '../../../shared/http/parse.ts';
import type { Application } from '../../../shared/ports/directory.ts';
import type { ProviderName, ProviderSecret } from '../../../shared/ports/providers.ts';
import {
  isBuiltIn,
  listTrustedProviders,
  PROVIDERS,
  providers,
  toPlainName,
  toProviderLabel,
  toProviderName,
} from '../../../shared/records/providers.ts';
import { UpdateApplicationBody } from '../../../shared/schemas/applications.ts';
import type { Call, Command } from '../engine/command.ts';
import { UsageError } from '../terminal/failure.ts';

const provider = { 'provider <name>': `${PROVIDERS.join(', ')}, or the name of another OpenID provider` };

function readProvider({ option }: Pick<Call, 'option'>): ProviderName {
  const name = toProviderName(option('provider') ?? '');
  if (!name)
    throw new UsageError(
      `--provider must be one of ${PROVIDERS.join(', ')}, or a name of 1 to 32 characters of a-z, 0-9 and -.`,
    );
  return name;
}

/**
 * Reads a secret from a file, or from standard input (`-`). A secret on the command line would be visible to other users of the
 * machine.
 */
async function readSecret(file: string): Promise<string> {
  const given = file === '-' ? await textOf(process.stdin) : await readFile(file, 'utf8');
  const secret = given.trim();
  if (secret === '') throw new UsageError('The secret is empty.');
  return secret;
}

/** Checks that Apple's .p8 file contains a private key on the curve P-256. */
function requireAppleKey(pem: string): string {
  try {
    if (createPrivateKey(pem).asymmetricKeyDetails?.namedCurve === 'prime256v1') return pem;
  } catch {
    // Continue with the error below, whose message does not contain the key.
  }
  throw new UsageError("Apple's secret must be its .p8 file: a private key on the curve P-256, in PEM.");
}

async function readProviderSecret(name: ProviderName, { option }: Call): Promise<ProviderSecret> {
  const secret = await readSecret(option('secret-file') ?? '');
  const issuer = option('issuer');
  if (issuer !== undefined) return { clientSecret: secret, issuer };
  if (!isBuiltIn(name) || providers[name].secret === 'shown') return { clientSecret: secret };
  const [teamId, keyId] = [option('team-id'), option('key-id')];
  if (!teamId || !keyId)
    throw new UsageError('Apple needs --team-id and --key-id in addition to its .p8 file.');
  return { teamId, keyId, privateKey: requireAppleKey(secret) };
}

function readFlag(name: string, value: string | undefined): boolean | undefined {
  if (value === undefined) return undefined;
  if (value !== 'yes' && value !== 'no') throw new UsageError(`--${name} must be yes or no.`);
  return value === 'yes';
}

function parseDirectories(name: ProviderName, value: string | undefined): readonly string[] | undefined {
  if (value !== undefined && !(isBuiltIn(name) && 'directories' in providers[name].fields))
    throw new UsageError(`--directories is an option for Microsoft, not for ${toProviderLabel(name)}.`);
  return value?.split(',');
}

/**
 * Returns an application's list of OpenID providers with `entry` merged into this provider, or without this provider if there
 * is no entry. Adds the provider if it is new.
 */
function changeOpenIdProviders(application: Application, provider: ProviderName, entry?: object) {
  const { openid_providers: current } = toApplicationRecord(application);
  const name = toPlainName(provider);
  const isNew = entry && current.every((own) => own.name !== name);
  return [...current, ...(isNew ? [{ name, label: name }] : [])].flatMap((own): readonly object[] => {
    if (own.name !== name) return [own];
    return entry ? [{ ...own, ...entry }] : [];
  });
}

/**
 * Command that enables a social provider. The command first stores the provider's secret, because logins would fail without it.
 */
const setProvider: Command = {
  verb: 'set-provider',
  summary: 'Lets users log in through a social provider',
  changes: 'management.changed',
  id: 'required',
  required: {
    ...provider,
    'client-id <id>': "the application's client ID at the provider",
    'secret-file <file>': "file with the client secret, or Apple's .p8 file; - reads standard input",
  },
  options: {
    'team-id <id>': 'Apple only: team ID',
    'key-id <id>': 'Apple only: ID of the .p8 key',
    'issuer <address>': 'OpenID providers by name only: issuer',
    'label <text>': 'OpenID providers by name only: name on buttons (default: the name)',
    'directories <ids>': 'Microsoft only: directories whose accounts may log in, separated by commas',
    'trusted-for-email <yes|no>': `accept the email addresses that it has verified (default: ${listTrustedProviders()} yes)`,
  },
  examples: [
    '0a1b2c --provider google --client-id 123.apps.googleusercontent.com --secret-file google.secret',
    '0a1b2c --provider acme --label Acme --issuer https://id.example.com --client-id shop --secret-file acme.secret',
    '0a1b2c --provider apple --client-id com.example.login --team-id A1B2C3D4E5 --key-id F6G7H8I9J0 --secret-file AuthKey.p8',
  ],
  run: async (call) => {
    const { ports, tenant, localExceptions, id, option } = call;
    const name = readProvider(call);
    const issuer = option('issuer');
    const preference = omitUndefined<object>({
      client_id: option('client-id'),
      issuer,
      label: option('label'),
      directories: parseDirectories(name, option('directories')),
      trusted_for_email: readFlag('trusted-for-email', option('trusted-for-email')),
    });
    const own = { tenant: await tenant(), applicationId: id, localExceptions };
    const current = await requireApplication(ports, own.tenant, id);
    if (!isBuiltIn(name) && issuer === undefined)
      throw new UsageError(`--issuer is required, because ${toPlainName(name)} is not a built-in provider.`);
    const body = check(
      UpdateApplicationBody,
      isBuiltIn(name)
        ? { login_preferences: { [name]: preference } }
        : { openid_providers: changeOpenIdProviders(current, name, preference) },
    );
    // Validate the update before the secret is stored, so that a rejected update leaves the previous secret in place.
    applyApplicationFields(current, body, nowSeconds(), localExceptions);
    await ports.providerSecretRecords.put(id, name, await readProviderSecret(name, call));
    const changed = await updateApplication(ports, own, body, nowSeconds());
    return { record: toApplicationRecord(changed) };
  },
};

const removeProvider: Command = {
  verb: 'remove-provider',
  summary:
    'Disables logins through a social provider and deletes its secret; users keep their linked accounts',
  changes: 'management.changed',
  id: 'required',
  required: provider,
  confirm: (id) => `Disable logins to the application ${id} through this provider`,
  examples: ['0a1b2c --provider facebook --yes'],
  run: async (call) => {
    const { ports, tenant, id } = call;
    const name = readProvider(call);
    const own = { tenant: await tenant(), applicationId: id };
    const current = await requireApplication(ports, own.tenant, id);
    const body = check(
      UpdateApplicationBody,
      isBuiltIn(name)
        ? { login_preferences: { [name]: null } }
        : { openid_providers: changeOpenIdProviders(current, name) },
    );
    const record = toApplicationRecord(await updateApplication(ports, own, body, nowSeconds()));
    await ports.providerSecretRecords.remove(id, name);
    return { record };
  },
};

export const providerCommands: readonly Command[] = [setProvider, removeProvider];
