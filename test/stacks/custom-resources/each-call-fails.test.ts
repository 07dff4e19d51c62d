import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { ClientRequest } from 'node:http';
import { GetSMSAttributesCommand, SNSClient } from '@aws-sdk/client-sns';
import { beforeEach, describe, expect, test } from '@jest/globals';
import type { CustomResourceEvent } from '../../../functions/deployment/custom-resource.ts';
import { callJson } from '../../../lib/local/emulators/basis/call-json.ts';
import type { ServerOptions } from '../../../lib/local/emulators/server.ts';
import { onRequestBody } from '../../../lib/local/playground/aws-call.ts';
import { signingKeyRecords } from '../../../shared/aws/adapters.ts';
import { loadBackground } from '../../support/server/load-function.ts';
import { takes } from '../../support/tools/full-run.ts';
import { Cloud } from '../support/cloud.ts';
import { useCustomResources } from '../support/custom-resources.ts';
import { synthesized } from '../support/synthesized.ts';
import { type VariantName, variants, variantsInRun } from '../support/variants.ts';

interface Resource {
  readonly type: string;
  /** Name of the Lambda function that handles the resource, from its service token. */
  readonly entry: string;
  /** Properties of the resource. All values are strings, because CloudFormation sends numbers and booleans as strings. */
  readonly properties: Readonly<Record<string, unknown>>;
}

const asSent = (value: unknown): unknown => {
  if (typeof value !== 'object' || value === null) return String(value);
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, asSent(part)]));
};

/** Returns the custom resources of a variant. */
function listResources(variant: VariantName): readonly Resource[] {
  const { templates } = synthesized(variant);
  const cloud = new Cloud(templates);
  const types = Object.values(templates).flatMap(({ Resources }) =>
    Object.values(Resources).map(({ Type }) => Type),
  );
  const found = [...new Set(types)]
    .filter((type) => /^(Custom::|AWS::CloudFormation::CustomResource)/.test(type))
    .flatMap((type) => cloud.resources(type).map(({ properties }) => ({ type, properties })));
  const prefix = `otl-${variants[variant].environment}-`;
  return found.map(({ type, properties }) => ({
    type,
    entry: (String(properties.ServiceToken).split(':').at(-1) ?? '').replace(prefix, ''),
    properties: asSent(properties) as Resource['properties'],
  }));
}

interface Expected {
  /**
   * Expected AWS calls of the creation, of an update that changes the properties in `changed`, and of the deletion. If `remove`
   * is undefined, the deletion makes no call.
   */
  readonly create: readonly string[];
  readonly update: readonly string[];
  readonly remove?: readonly string[];
  readonly changed?: Readonly<Record<string, string>>;
  readonly physicalId: (properties: Resource['properties']) => unknown;
  /** Reads the state that the custom resource has changed outside its stack, such as stored keys or account settings. */
  readonly kept?: () => Promise<unknown>;
  /** Creates the AWS resources that CloudFormation would create before the custom resource. */
  readonly prepare?: (properties: Resource['properties']) => Promise<unknown>;
}

const signingKeys = async () =>
  (await signingKeyRecords({ env: process.env }).list()).map(({ kid, state }) => ({ kid, state }));
const firstSigningKey = (...made: readonly string[]): Expected => ({
  create: ['dynamodb:Query', ...made, 'dynamodb:PutItem'],
  update: ['dynamodb:Query'],
  physicalId: () => 'first-signing-key',
  kept: signingKeys,
});

const smsAttributes = async () =>
  (await new SNSClient({}).send(new GetSMSAttributesCommand({}))).attributes ?? {};

/** Expected AWS calls and effects, by the type and the property names of the custom resource. */
const EXPECTED: Readonly<Record<string, Expected>> = {
  'Custom::FirstSigningKey KeyId': firstSigningKey('kms:GetPublicKey'),
  'Custom::FirstSigningKey KeyId,SealingContext': firstSigningKey('kms:GenerateDataKeyPairWithoutPlaintext'),
  'Custom::EdgeSecretHash SecretId': {
    create: ['secretsmanager:GetSecretValue'],
    update: ['secretsmanager:GetSecretValue'],
    physicalId: () => 'Record',
    prepare: ({ SecretId }) =>
      callJson(deployment.emulators().endpoint('secretsmanager'), 'secretsmanager.CreateSecret', {
        Name: SecretId,
        SecretString: 'the-secret-of-the-edge',
      }),
  },
  'Custom::Domain Domain': {
    create: [],
    update: ['dynamodb:Query'],
    changed: { Domain: 'other.example.com' },
    physicalId: ({ Domain }) => Domain,
  },
  'Custom::SmsSettings MonthlySpendLimit,Version': {
    create: ['sns:SetSMSAttributes'],
    update: ['sns:SetSMSAttributes'],
    changed: { MonthlySpendLimit: '50' },
    physicalId: () => 'sms-settings',
    kept: smsAttributes,
  },
  'Custom::SmsDeliveryStatus Role,Version': {
    create: ['sns:SetSMSAttributes'],
    update: ['sns:SetSMSAttributes'],
    remove: ['sns:SetSMSAttributes'],
    changed: { Role: 'arn:aws:iam::111122223333:role/other' },
    physicalId: () => 'sms-delivery-status',
    kept: smsAttributes,
  },
};

const OF_CLOUDFORMATION = ['ServiceToken', 'ServiceTimeout'];
const describeResource = ({ type, properties }: Resource): string => {
  const own = Object.keys(properties).filter((name) => !OF_CLOUDFORMATION.includes(name));
  return `${type} ${own.toSorted()}`;
};

const everywhere = variantsInRun.flatMap(listResources);
/** One custom resource for each combination of type and property names. */
const resources = [...new Map(everywhere.map((resource) => [describeResource(resource), resource])).values()];
const toServerKeys = ({ properties }: Resource): NonNullable<ServerOptions['keys']>[number][] =>
  typeof properties.KeyId === 'string'
    ? [
        {
          id: properties.KeyId,
          spec: properties.SealingContext === undefined ? 'RSA_2048' : 'SYMMETRIC_DEFAULT',
        },
      ]
    : [];
const deployment = useCustomResources(() => ({ keys: resources.flatMap(toServerKeys) }));

test('each environment has exactly the custom resources that the tests expect', () => {
  expect(resources.map(describeResource).toSorted()).toEqual(Object.keys(EXPECTED).toSorted());
});

describe.each(resources.map((resource) => [describeResource(resource), resource.entry, resource] as const))(
  'custom resource of the type %s handled by the function %s',
  (kind, entry, { type, properties }) => {
    const expected = EXPECTED[kind] as Expected;
    const kept = async () => (await expected.kept?.()) ?? {};
    const changed = { ...properties, ...expected.changed };
    const first: Partial<CustomResourceEvent> = { ResourceType: type, ResourceProperties: properties };
    const next: Partial<CustomResourceEvent> = {
      ResourceType: type,
      RequestType: 'Update',
      ResourceProperties: changed,
      PhysicalResourceId: String(expected.physicalId(properties)),
    };
    const send = async (event: Partial<CustomResourceEvent>) =>
      deployment.send(await loadBackground(entry), event);

    async function recordCalls(work: () => Promise<unknown>): Promise<readonly string[]> {
      const calls: string[] = [];
      const created = (message: unknown) =>
        onRequestBody((message as { readonly request: ClientRequest }).request, (told) => {
          const call = told();
          if (call) calls.push(call.action);
        });
      subscribe('http.client.request.created', created);
      try {
        await work();
      } finally {
        // Without this, a failing test would also record the calls of later tests.
        unsubscribe('http.client.request.created', created);
      }
      return calls;
    }

    beforeEach(async () => {
      await expected.prepare?.(properties);
    });

    test('a custom resource is created, updated and deleted with the expected AWS calls', async () => {
      const made = { Status: 'SUCCESS', PhysicalResourceId: expected.physicalId(properties) };
      expect(await recordCalls(async () => expect(await send(first)).toMatchObject(made))).toEqual(
        expected.create,
      );
      expect(
        await recordCalls(async () =>
          expect(await send(next)).toMatchObject({
            Status: 'SUCCESS',
            PhysicalResourceId: expected.physicalId(changed),
          }),
        ),
      ).toEqual(expected.update);
      const before = await kept();
      const gone = { ...first, RequestType: 'Delete', PhysicalResourceId: 'as-it-was' } as const;
      expect(
        await recordCalls(async () =>
          expect(await send(gone)).toMatchObject({ Status: 'SUCCESS', PhysicalResourceId: 'as-it-was' }),
        ),
      ).toEqual(expected.remove ?? []);
      if (!expected.remove) expect(await kept()).toEqual(before);
    });

    const listSteps = (event: Partial<CustomResourceEvent>, calls: readonly string[]) =>
      calls.map((call, index) => {
        const [service = '', action = ''] = call.split(':');
        const skip = calls.slice(0, index).filter((other) => other === call).length;
        return [`${event.RequestType ?? 'Create'}: ${call}`, event, { service, action, skip }] as const;
      });
    const last: Partial<CustomResourceEvent> = { ...next, ...first, RequestType: 'Delete' };
    const steps = [
      ...[...listSteps(first, expected.create), ...listSteps(next, expected.update)],
      ...listSteps(last, expected.remove ?? []),
    ];

    // Creating the first signing key retries a rejected call for seconds, so a normal test run checks only one call.
    const waits = kind.startsWith('Custom::FirstSigningKey');
    test.each(steps.filter((_, index) => !waits || takes(index, steps.length)))(
      'if AWS rejects %s, the custom resource changes nothing and can be retried',
      async (_, event, call) => {
        if (event.RequestType !== undefined) await send(first);
        const before = await kept();
        const refusal = {
          effect: 'error',
          code: 'AccessDeniedException',
          message: 'not allowed',
          status: 400,
        };
        await deployment.emulators().inject({ ...call, ...refusal } as never);
        expect(await send(event)).toMatchObject({
          Status: 'FAILED',
          Reason: expect.stringMatching(/\S+: .+/),
          // If the ID changed, CloudFormation would treat the update as a replacement and delete the old resource.
          PhysicalResourceId: expected.physicalId(properties),
          Data: {},
        });
        await deployment.emulators().clearFaults();
        expect(await kept()).toEqual(before);
        expect(await send(event)).toMatchObject({ Status: 'SUCCESS' });
      },
    );

    test.each(steps)(
      'if the response to %s is lost, a retry of the custom resource gives the same result',
      async (_, event, call) => {
        if (event.RequestType !== undefined) await send(first);
        await deployment.emulators().inject({ ...call, effect: 'lost-answer', times: 1 } as never);
        await send(event);
        expect(await send(event)).toMatchObject({ Status: 'SUCCESS' });
        const once = await kept();
        if (Array.isArray(once)) expect(once).toHaveLength(1);
        else expect(await send(event).then(kept)).toEqual(once);
      },
    );

    test('a custom resource can be processed again after CloudFormation has rejected its first response', async () => {
      deployment.refuseNextAnswer();
      await expect(send(first)).rejects.toThrow('CloudFormation answered 503');
      const before = await kept();
      expect(await send(first)).toMatchObject({ Status: 'SUCCESS' });
      expect(await kept()).toEqual(before);
    });
  },
);
