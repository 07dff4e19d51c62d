import { devNull, userInfo } from 'node:os';
import { ENVELOPE_KEY_ID, WEBHOOK_KEY_ID } from '../../../lib/local/demo.ts';
import { PROVIDER_SECRETS, TABLE_VARIABLES } from '../../../lib/local/function-environment.ts';
import { type OperatorLog, operatorLog } from '../../../lib/operator/audit-log/cloudwatch.ts';
import type { restoreFromVault } from '../../../lib/operator/restore/from-vault.ts';
import type { KeyMaker } from '../../../lib/operator/signing-keys/key-maker.ts';
import {
  type Environment,
  toBaseUrl,
  toConsoleOrigin,
  toKeyAlias,
  toNamePrefix,
  toOperatorLogName,
  toSecretsPrefix,
  toTableName,
} from '../../../lib/stacks/environments/environment.ts';
import { signingTags } from '../../../shared/aws/signing-keys/modes.ts';
import type { LocalExceptions } from '../../../shared/domain/basis/redirect-uri.ts';
import type { Check } from '../../../shared/domain/management/restore-check.ts';
import type { TableName } from '../../../shared/dynamo/keys.ts';
import { UsageError } from '../terminal/failure.ts';
import { type DurableTable, type OperatorPorts, openPorts, openRestored } from './ports.ts';
import { findPlace, type LocalServer, type TargetOptions } from './service.ts';

export type { OperatorPorts } from './ports.ts';

/** Environment in AWS or local server that a command works on. */
export interface Target {
  readonly place: { readonly environment: Environment } | { readonly root: string };
  readonly ports: OperatorPorts;
  readonly keyMaker: (account: string) => Promise<KeyMaker>;
  /** Opens a restored table in place of the table in use. */
  readonly restored: (table: DurableTable, name: string) => RestoredTable;
  /** Starts restoring a copy in the vault. Throws `UsageError` if the environment has no vault. */
  readonly fromVault: (wanted: Parameters<typeof restoreFromVault>[1]) => ReturnType<typeof restoreFromVault>;
  readonly toTableName: (table: TableName) => string;
  readonly log: OperatorLog;
  /** Returns the name with which the operator appears in the audit log. */
  readonly operator: () => Promise<string>;
  /** Public base URL, which ends in `/cis`. */
  readonly baseUrl: string;
  readonly consoleOrigin: string;
  /** Local exceptions: values that a local server accepts and AWS rejects, such as loopback addresses. */
  readonly localExceptions: LocalExceptions;
  /** True if clients may choose ES256 as the algorithm of their tokens. */
  readonly es256: boolean;
  /**
   * Returns the settings, tables and stacks without deletion protection. The command `first-tenant` requires that there are
   * none.
   */
  readonly unprotected: () => Promise<readonly string[]>;
  /** Returns the stacks of areas that the environment no longer has. */
  readonly leftOverStacks: () => Promise<readonly string[]>;
  /** ID of the tenant that commands use if `--tenant` is not given. */
  readonly defaultTenantId?: string;
}

/** Ports that access a restored table, and the function that checks the table's settings in AWS. */
interface RestoredTable {
  readonly ports: OperatorPorts;
  readonly settings: () => Promise<readonly Check[]>;
}

async function localKeyMaker(): Promise<KeyMaker> {
  const { keyMaker } = await import('../../../lib/operator/signing-keys/key-maker.ts');
  return keyMaker({ envelopeKeyId: ENVELOPE_KEY_ID, tags: signingTags('local') });
}

/** Returns the name of the developer's user account, or `unknown` in a container without user accounts. */
function localOperator(): string {
  try {
    return userInfo().username;
  } catch {
    return 'unknown';
  }
}

/** Opens a local server. The server never gets the operator's AWS credentials or profiles, only fixed credentials. */
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
    // The DynamoDB emulator has no table settings to check.
    restored: (table, name) => ({
      ports: openRestored(variables, table, name),
      settings: async () => [],
    }),
    async fromVault() {
      throw new UsageError('A local server has no vault. Name an environment with --env.');
    },
    log: operatorLog('local-operator'),
    operator: async () => localOperator(),
    baseUrl,
    consoleOrigin,
    toTableName: (table) => table,
    localExceptions: { loopback: true },
    es256: true,
    unprotected: async () => [],
    leftOverStacks: async () => [],
    defaultTenantId: demo.tenantId,
  };
}

function openAws(environment: Environment): Target {
  const tables = Object.fromEntries(
    Object.entries(TABLE_VARIABLES).map(([variable, table]) => [variable, toTableName(environment, table)]),
  );
  const variables = {
    ...tables,
    PROVIDER_SECRETS: toSecretsPrefix(environment),
    WEBHOOK_KEY_ID: toKeyAlias(environment, 'webhooks'),
    TEST_IDENTITIES: environment.testIdentities ? 'on' : '',
    ENVIRONMENT: environment.name,
  };
  return {
    place: { environment },
    ports: openPorts(variables, { AWS_REGION: environment.region }),
    async keyMaker(account) {
      const { openKeyMaker } = await import('../../../lib/operator/signing-keys/of-environment.ts');
      return openKeyMaker(environment, account);
    },
    log: operatorLog(toOperatorLogName(environment)),
    baseUrl: toBaseUrl(environment),
    consoleOrigin: toConsoleOrigin(environment),
    toTableName: (table) => toTableName(environment, table),
    localExceptions: { loopback: false },
    es256: environment.es256 === true,
    async unprotected() {
      if (!environment.production) return [];
      const { unprotected } = await import('../../../lib/operator/doctor/protection.ts');
      return unprotected(environment);
    },
    async leftOverStacks() {
      const { findLeftOverStacks } = await import('../../../lib/operator/doctor/left-over-stacks.ts');
      return findLeftOverStacks(environment);
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
        return checkTableSettings(table, `${toNamePrefix(environment)}-${table}`, name);
      },
    }),
  };
}

/** Opens the environment or local server that the options name. Throws `UsageError`, `RefusedError`. */
export async function openTarget(options: TargetOptions): Promise<Target> {
  const place = await findPlace(options);
  return 'root' in place ? openLocal(place) : openAws(place);
}
