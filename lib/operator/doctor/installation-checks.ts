import { eventQueues } from '../../../functions/events/queues.ts';
import { toApplicationRecord } from '../../../shared/domain/management/application-record.ts';
import { CONSOLE_APPLICATION_ID } from '../../../shared/domain/operators/operators.ts';
import { PROVIDERS } from '../../../shared/records/providers.ts';
import { findMissingFeatures } from '../applications/left-off.ts';
import { type Checks, fail, ok, warn } from './verdict.ts';

/**
 * Clock skew in seconds above which the check fails, because clients and the service must agree about the expiry of tokens. AWS
 * rejects signatures only if the clock differs by five minutes or more.
 */
const SKEW_SECONDS = 5;
const LOOPBACK = /^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?=[:/]|$)/i;

const HOW_ONE_SIGNS = {
  RS256: 'otl keys list',
  ES256: 'otl keys prepare --algorithm ES256, then rotate. Until then its clients get PS256',
} as const;

/** Number of waiting events per running function above which the backlog is more than a short burst: ten batches. */
const WAITING_PER_FUNCTION = 100;
const QUEUES = eventQueues.length;

export const installationChecks: Checks = {
  async tables(facts) {
    const problems = (await facts.tables()).flatMap((table) => [
      ...(table.active ? [] : [`${table.name} does not exist or is not active`]),
      ...(table.timeToLive || !table.needsTimeToLive ? [] : [`${table.name} has no TTL`]),
      ...(table.recovery || !table.needsRecovery ? [] : [`${table.name} cannot be restored`]),
    ]);
    if (problems.length === 0) return ok('active, with time to live and point-in-time recovery');
    return fail(
      problems.join('; '),
      'If a KMS key is disabled, enable it first. Otherwise deploy the data stack again: it was changed by hand.',
    );
  },
  async protection({ production, unprotected }) {
    if (!production) return ok('not in production: the data is deleted with its stacks');
    const open = await unprotected();
    if (open.length === 0) return ok('tables and stacks are protected from deletion');
    return fail(
      `not protected: ${open.join(', ')}`,
      'Switch the protection on once the first deployment has succeeded, and deploy again.',
      "export OTL_PROTECTION_<ENV>=on\nnpx cdk deploy '**/otl-<env>-*'",
    );
  },
  async areas({ leftOverStacks }) {
    const stacks = await leftOverStacks();
    if (stacks.length === 0) return ok('no stack of an area that the environment lacks');
    return warn(
      `left over from areas that the environment lacks: ${stacks.join(', ')}`,
      'Delete these stacks in this order. They contain functions and no data.',
      stacks.map((name) => `aws cloudformation delete-stack --stack-name ${name}`).join('\n'),
    );
  },
  async 'signing-keys'({ signingKeys, keyEnabled, es256 }) {
    const keys = await signingKeys();
    for (const kind of es256 ? (['RS256', 'ES256'] as const) : (['RS256'] as const)) {
      const { length } = keys.filter(({ alg, state }) => alg === kind && state === 'current');
      if (length !== 1)
        return fail(`${length} keys of ${kind} are current`, `There must be one: ${HOW_ONE_SIGNS[kind]}.`);
    }
    for (const { kid, keyArn } of keys)
      if (keyArn !== undefined && !(await keyEnabled(keyArn)))
        return fail(`the KMS key of ${kid} is disabled`, 'Enable it, or retire it with otl keys.');
    return ok(`one key of each algorithm signs, ${keys.length} are published`);
  },
  async es256(facts) {
    if (facts.es256) return ok('on');
    const variable = 'OTL_ES256_<ENV>=on';
    const chosen: string[] = [];
    for await (const { clientId, idTokenSignedResponseAlg: alg } of facts.clients())
      if (alg === 'ES256') chosen.push(clientId);
    if (chosen.length > 0)
      return warn(
        `it is off, so these clients get PS256: ${chosen.join(', ')}`,
        `Deploy with ${variable}, or run: otl client update <id> --id-token-signed-response-alg PS256.`,
      );
    const left = (await facts.signingKeys()).filter(({ alg }) => alg === 'ES256');
    if (left.length === 0) return ok('off, without a key');
    return warn(
      `it is off, and ${left.length} of its keys are published`,
      `Deploy with ${variable}, or end them: otl keys rotate --algorithm ES256, a day later otl keys retire.`,
    );
  },
  async 'client-codes'(facts) {
    let open = 0;
    for await (const { applicationId, authMethod = 'secret', boundCodes, requirePkce } of facts.clients())
      if (applicationId !== undefined && authMethod === 'secret' && !boundCodes && !requirePkce) open += 1;
    if (open === 0) return ok('each client binds its authorization codes');
    return ok(
      `${open} clients may push requests without a code challenge; without a challenge, redirect URI or nonce, a stolen code can be injected (RFC 9700 §4.5); bound_codes prevents it`,
    );
  },
  async 'signing-modes'({ signingKeys, signingModes }) {
    for (const { kid, sealed } of await signingKeys()) {
      const mode = sealed ? 'kms-envelope' : 'kms';
      if (!signingModes.includes(mode))
        return fail(
          `${kid} is in the mode ${mode}, which no function may use`,
          'Add the mode to signingModes of the environment and deploy, until the key is removed.',
        );
    }
    return ok(signingModes.join(', '));
  },
  async keys({ keys, keyEnabled }) {
    const disabled: (readonly [use: string, key: string])[] = [];
    for (const named of Object.entries(keys)) if (!(await keyEnabled(named[1]))) disabled.push(named);
    if (disabled.length === 0) return ok(`enabled: ${Object.keys(keys).join(', ')}`);
    return fail(
      `disabled or pending deletion in KMS: ${disabled.map(([use, key]) => `${use} (${key})`).join(', ')}`,
      'Enable the key, and find out who disabled it. For a key that is pending deletion, first run aws kms cancel-key-deletion with the same key ID.',
      // `enable-key` accepts no alias, so the command first looks up the ID of the key.
      disabled
        .map(
          ([, key]) =>
            `aws kms enable-key --key-id $(aws kms describe-key --key-id ${key} --query KeyMetadata.KeyId --output text)`,
        )
        .join('\n'),
    );
  },
  async clock({ clockSkewSeconds }) {
    const skew = await clockSkewSeconds();
    if (Math.abs(skew) <= SKEW_SECONDS) return ok(`${skew} s from AWS`);
    return fail(
      `this clock is ${skew} s off`,
      'Synchronise it. AWS rejects signatures whose time is five minutes off.',
    );
  },
  async 'callback-urls'(facts) {
    const local: string[] = [];
    for await (const { applicationId, redirectUris } of facts.applications())
      local.push(
        ...redirectUris.filter((uri) => LOOPBACK.test(uri)).map((uri) => `${applicationId}: ${uri}`),
      );
    if (local.length === 0 || !facts.production) return ok('none leads to a developer’s machine');
    return warn(local.join('; '), 'Remove them unless a native application listens there.');
  },
  async 'device-binding'({ deviceBinding }) {
    if (deviceBinding === 'required')
      return ok('required at the console; otl login binds its tokens to a key file, not to the device');
    if (deviceBinding === 'offered') return ok('offered to browsers; no login requires it');
    return warn(
      'off: a copied login cookie works on every device',
      'Deploy without OTL_DEVICE_BINDING_<ENV>.',
    );
  },
  async 'test-identities'(facts) {
    if (!facts.testIdentities) return ok('the environment allows none');
    const open: string[] = [];
    for await (const { applicationId, testIdentities } of facts.applications())
      if (testIdentities) open.push(applicationId);
    return warn(
      `codes of test users can be read through the API: ${open.join(', ') || 'the environment allows it, but no application does'}`,
      'Keep them out of production: otl application update <id> --test-identities no, and deploy without the variable OTL_TEST_IDENTITIES of the environment.',
    );
  },
  async 'ignored-alarms'({ ignoreAlarms }) {
    if (!ignoreAlarms) return ok('alarms roll back new code where the environment has a gradual rollout');
    return warn(
      'OTL_IGNORE_ALARMS of the environment is set: no alarm rolls back new code',
      'Remove the variable when the incident is over, and deploy again.',
    );
  },
  async 'queue-concurrency'({ quota, queueConcurrency, waitingEvents }) {
    const [atOnce, waiting] = [await quota('functions at once'), await waitingEvents()];
    const most = Math.floor(atOnce / 2 / QUEUES);
    const found = `webhooks and notices each run in at most ${queueConcurrency} functions at once, and ${waiting} events wait`;
    if (queueConcurrency > most)
      return warn(
        found,
        `Together they may take more than half of the account's ${atOnce} functions from logins. Lower OTL_QUEUE_CONCURRENCY of the environment and deploy, or request a higher quota of Lambda.`,
      );
    if (waiting <= WAITING_PER_FUNCTION * queueConcurrency) return ok(found);
    return warn(
      found,
      `If this number stays high, notices and webhooks are late. ${
        queueConcurrency < most
          ? `Raise OTL_QUEUE_CONCURRENCY of the environment, at most to ${most}, and deploy.`
          : 'Request a higher quota of Lambda first (lambda-concurrency).'
      }`,
    );
  },
  async 'login-methods'(facts) {
    const without: string[] = [];
    for await (const { applicationId, loginPreferences = {}, openidProviders = [] } of facts.applications())
      if (Object.keys(loginPreferences).length + openidProviders.length === 0) without.push(applicationId);
    if (without.length === 0) return ok('each application has a login method');
    return warn(
      `no login method: ${without.join(', ')}`,
      `Switch one on: otl application update <id> --login-preferences '{"email": {}}'.`,
    );
  },
  async 'replaced-providers'(facts) {
    const replaced: string[] = [];
    for await (const { applicationId, loginPreferences } of facts.applications())
      for (const provider of PROVIDERS) {
        const { issuer } = loginPreferences?.[provider] ?? {};
        if (issuer !== undefined) replaced.push(`${applicationId}: ${provider} is ${issuer}`);
      }
    if (replaced.length === 0) return ok('each built-in provider logs users in at the provider itself');
    return warn(
      replaced.join('; '),
      'Users see the button of one provider and log in at another. Add the other provider by its own name: otl application set-provider.',
    );
  },
  async 'settings-off'(facts) {
    const off: string[] = [];
    for await (const application of facts.applications()) {
      const { applicationId } = application;
      if (applicationId === CONSOLE_APPLICATION_ID) continue;
      off.push(
        ...findMissingFeatures(toApplicationRecord(application)).map(
          ({ effect, options }) => `${applicationId}: ${effect} (${options})`,
        ),
      );
    }
    return ok(off.join('; ') || 'each application has every feature that the demo application has');
  },
  async edge({ challenge }) {
    const found = await challenge();
    if (found?.startsWith('Bearer')) return ok('a call without a token gets a WWW-Authenticate challenge');
    return fail('WWW-Authenticate is missing', 'CloudFront must pass it on. Clients and DPoP depend on it.');
  },
};
