import {
  CreateSecretCommand,
  DeleteSecretCommand,
  GetSecretValueCommand,
  PutSecretValueCommand,
  ResourceNotFoundException,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { createCache } from '../dynamo/cache.ts';
import { toUnavailable } from '../dynamo/unavailable.ts';
import type {
  ProviderName,
  ProviderSecret,
  ProviderSecretRecords,
  ProviderSecrets,
} from '../ports/providers.ts';
import { CALL_SETTINGS } from './call-settings.ts';

/** Settings of the Secrets Manager client. Two short attempts leave time to call the provider while the browser waits. */
const SECRET_SETTINGS = {
  ...CALL_SETTINGS,
  maxAttempts: 2,
  requestHandler: { ...CALL_SETTINGS.requestHandler, requestTimeout: 1500 },
};

type WithSecrets = <T>(call: (client: SecretsManagerClient) => Promise<T>) => Promise<T>;

function secretsManager(): WithSecrets {
  let made: SecretsManagerClient | undefined;
  return async (call) => {
    made ??= new SecretsManagerClient(SECRET_SETTINGS);
    try {
      return await call(made);
    } catch (error) {
      throw toUnavailable(error);
    }
  };
}

const secretName = (prefix: string, applicationId: string, provider: ProviderName) =>
  `${prefix}/${applicationId}/${provider}`;

function read(withSecrets: WithSecrets, SecretId: string): Promise<ProviderSecret | undefined> {
  return withSecrets(async (client) => {
    try {
      const { SecretString } = await client.send(new GetSecretValueCommand({ SecretId }));
      return SecretString === undefined ? undefined : (JSON.parse(SecretString) as ProviderSecret);
    } catch (error) {
      if (error instanceof ResourceNotFoundException) return undefined;
      throw error;
    }
  });
}

/** Creates the reader of provider secrets. Secrets Manager has one secret per application and provider, cached for a minute. */
export function providerSecrets(prefix: string): ProviderSecrets {
  const cache = createCache<ProviderSecret>();
  const withSecrets = secretsManager();
  return {
    find(applicationId, provider) {
      const name = secretName(prefix, applicationId, provider);
      return cache(name, () => read(withSecrets, name));
    },
  };
}

export function providerSecretRecords(prefix: string): ProviderSecretRecords {
  const withSecrets = secretsManager();
  return {
    put(applicationId, provider, secret) {
      const Name = secretName(prefix, applicationId, provider);
      const SecretString = JSON.stringify(secret);
      return withSecrets(async (client) => {
        try {
          await client.send(new PutSecretValueCommand({ SecretId: Name, SecretString }));
        } catch (error) {
          if (!(error instanceof ResourceNotFoundException)) throw error;
          await client.send(new CreateSecretCommand({ Name, SecretString }));
        }
      });
    },

    remove(applicationId, provider) {
      const SecretId = secretName(prefix, applicationId, provider);
      return withSecrets(async (client) => {
        try {
          await client.send(new DeleteSecretCommand({ SecretId, ForceDeleteWithoutRecovery: true }));
        } catch (error) {
          if (!(error instanceof ResourceNotFoundException)) throw error;
        }
      });
    },
  };
}
