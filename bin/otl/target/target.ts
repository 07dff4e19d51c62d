import { devNull, userInfo } from 'node:os';
import { ENVELOPE_KEY_ID, WEBHOOK_KEY_ID } from '../../../lib/local/demo.ts';
import { PROVIDER_SECRETS, TABLE_VARIABLES } from '../../../lib/local/function-environment.ts';
import { type OperatorLog, operatorLog } from '../../../lib/operator/audit-log/cloudwatch.ts';
import type { restoreFromVault } from '../../../lib/operator/restore/from-vault.ts';
import type { KeyMaker } from '../../../lib/operator/signing-keys/key-maker.ts';
import {
  baseUrlOf,
  consoleOriginOf,
  type Environment,
  keyAliasOf,
  operatorLogOf,
  prefixOf,
  providerSecretsOf,
  tableNameOf,
} from '../../../lib/stacks/environments/environment.ts';
import { signingTags } from '../../../shared/aws/signing-keys/modes.ts';
import type { LocalLeave } from '../../../shared/domain/basis/redirect-uri.ts';
import type { Check } from '../../../shared/domain/management/restore-check.ts';
import type { TableName } from '../../../shared/dynamo/keys.ts';
import { UsageError } from '../terminal/failure.ts';
import { type DurableTable, type OperatorPorts, openPorts, openRestored } from './ports.ts';
import { findPlace, type LocalServer, type TargetOptions } from './service.ts';

export type { OperatorPorts } from './ports.ts';

/** What a command works on: an environment in AWS, or a local server. */
export interface Target {
  readonly place: { readonly environment: Environment } | { readonly root: string };
  readonly ports: OperatorPorts;
  /** Makes keys in the named AWS account. */
  readonly keyMaker: (account: string) => Promise<KeyMaker>;
  /** Opens a restored table in place of its original. */
  readonly restored: (table: DurableTable, name: string) => RestoredTable;
  /** Starts the restore of a copy in the vault. Errors: `UsageError` where there is no vault. */
  readonly fromVault: (wanted: Parameters<typeof restoreFromVault>[1]) => ReturnType<typeof restoreFromVault>;
  /** The name of a table in AWS. */
  readonly tableNameOf: (table: TableName) => string;
  /** The operator audit log, and the operator's name in it. */
  readonly log: OperatorLog;
  readonly operator: () => Promise<string>;
  /** The public address, with `/cis`. */
  readonly baseUrl: string;
  /** The origin of the operator console. */
  readonly consoleOrigin: string;
  /** What an application may name here that is refused over HTTP. */
  readonly leave: LocalLeave;
  /** Whether clients may choose ES256. */
  readonly es256: boolean;
  /** What refuses no deletion and should, before the first tenant has data. */
  readonly unprotected: () => Promise<readonly string[]>;
  /** The tenant of commands without `--tenant`. */
  readonly defaultTenantId?: string;
}

/** The stores over a restored table, and the checks of its settings in AWS. */
interface RestoredTable {
  readonly ports: OperatorPorts;
  readonly settings: () => Promise<readonly Check[]>;
}

async function localKeyMaker(): Promise<KeyMaker> {
  const { keyMaker } = await import('../../../lib/operator/signing-keys/key-maker.ts');
  return keyMaker({ envelopeKeyId: ENVELOPE_KEY_ID, tags: signingTags('local') });
}

/** On a developer's machine; a container may have no such user. */
function localOperator(): string {
  try {
    return userInfo().username;
  } catch {
    return 'unknown';
  }
}

/** Never sends the operator's credentials to a local server, and ignores configured profiles. */
function openLocal({ root, demo, baseUrl, consoleOrigin }: LocalServer): Target {
  const variables = {
    ...TABLE_VARIABLES,
    PROVIDER_SECRETS,
    WEBHOOK_KEY_ID,
    TEST_IDENTITIES: 'on',
  };
  const ports = openPorts(variables, {
    AWS_ENDPOINT_URL_DYNAMODB: `${root}/_local/aws/dynamodb`,
    AWS_ENDPOINT_URL_KMS: `${root}/_local/aws/kms`,
    AWS_ENDPOINT_URL_SECRETS_MANAGER: `${root}/_local/aws/secretsmanager`,
    AWS_ENDPOINT_URL_SES: `${root}/_local/aws/ses`,
    AWS_ENDPOINT_URL_CLOUDWATCH_LOGS: `${root}/_local/aws/logs`,
    AWS_REGION: 'eu-central-1',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_SESSION_TOKEN: '',
    AWS_CONFIG_FILE: devNull,
    AWS_SHARED_CREDENTIALS_FILE: devNull,
  });
  return {
    place: { root },
    ports,
    keyMaker: localKeyMaker,
    // The emulator has no table settings.
    restored: (table, name) => ({
      ports: openRestored(variables, table, name),
      settings: async () => [],
    }),
    async fromVault() {
      throw new UsageError('A local server has no vault: name an environment with --env.');
    },
    log: operatorLog('local-operator'),
    operator: async () => localOperator(),
    baseUrl,
    consoleOrigin,
    tableNameOf: (table) => table,
    leave: { loopback: true },
    es256: true,
    unprotected: async () => [],
    defaultTenantId: demo.tenantId,
  };
}

function openAws(environment: Environment): Target {
  const tables = Object.fromEntries(
    Object.entries(TABLE_VARIABLES).map(([variable, table]) => [variable, tableNameOf(environment, table)]),
  );
  const variables = {
    ...tables,
    PROVIDER_SECRETS: providerSecretsOf(environment),
    WEBHOOK_KEY_ID: keyAliasOf(environment, 'webhooks'),
    TEST_IDENTITIES: environment.testIdentities ? 'on' : '',
    ENVIRONMENT: environment.name,
  };
  return {
    place: { environment },
    ports: openPorts(variables, { AWS_REGION: environment.region }),
    async keyMaker(account) {
      const { keyMakerOf } = await import('../../../lib/operator/signing-keys/of-environment.ts');
      return keyMakerOf(environment, account);
    },
    log: operatorLog(operatorLogOf(environment)),
    baseUrl: baseUrlOf(environment),
    consoleOrigin: consoleOriginOf(environment),
    tableNameOf: (table) => tableNameOf(environment, table),
    leave: { loopback: false },
    es256: environment.es256 === true,
    async unprotected() {
      if (!environment.production) return [];
      const { unprotected } = await import('../../../lib/operator/doctor/protection.ts');
      return unprotected(environment);
    },
    async operator() {
      const { callerArn } = await import('../../../lib/operator/audit-log/identity.ts');
      return callerArn();
    },
    async fromVault(wanted) {
      if (!environment.production) throw new UsageError(`${environment.name} has no vault.`);
      const { restoreFromVault: start } = await import('../../../lib/operator/restore/from-vault.ts');
      return start(environment, wanted);
    },
    restored: (table, name) => ({
      ports: openRestored(variables, table, name),
      async settings() {
        const { checkTableSettings } = await import('../../../lib/operator/restore/table-settings.ts');
        return checkTableSettings(table, `${prefixOf(environment)}-${table}`, name);
      },
    }),
  };
}

/** Errors: `UsageError`, `RefusedError`. */
export async function openTarget(options: TargetOptions): Promise<Target> {
  const place = await findPlace(options);
  return 'root' in place ? openLocal(place) : openAws(place);
}
