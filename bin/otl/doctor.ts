import type { Facts } from '../../lib/doctor/facts.ts';
import { everyItem } from '../../shared/domain/management/change-record.ts';
import type { Column, Outcome } from './command.ts';
import { RefusedError, UsageError } from './failure.ts';
import { type OperatorPorts, openPlace, type Whereabouts } from './place.ts';

/** `otl doctor`: examines an environment, and says what to do. */

interface FindingRecord {
  readonly check: string;
  readonly status: string;
  readonly detail: string;
  readonly advice?: string;
}

const columns: readonly Column<FindingRecord>[] = [
  { heading: 'STATUS', text: ({ status }) => status },
  { heading: 'CHECK', text: ({ check }) => check },
  { heading: 'FOUND', text: ({ detail }) => detail, flexible: true, wraps: true },
  { heading: 'WHAT TO DO', text: ({ advice }) => advice ?? '', flexible: true, wraps: true },
];

function told({ signingKeyRecords, tenantRecords, applicationRecords }: OperatorPorts) {
  return {
    signingKeys: () => signingKeyRecords.list(),
    async *applications() {
      for await (const { tenantId } of everyItem((page) => tenantRecords.list('', page)))
        yield* everyItem((page) => applicationRecords.list(tenantId, page));
    },
  };
}

async function factsOf(where: Whereabouts): Promise<Facts> {
  const { ports } = await openPlace(where);
  const { awsFacts, withoutOutside } = await import('../../lib/doctor/aws-facts.ts');
  const tables = { directory: 'directory', people: 'people', flows: 'flows' };
  if (where.env === undefined) {
    const baseUrl = `${(where.endpoint ?? process.env.OTL_ENDPOINT ?? '').replace(/\/+$/, '')}/cis`;
    const mail = { identity: 'login.example', mailFromDomain: 'bounce.login.example' };
    const place = {
      region: 'eu-central-1',
      mail,
      configurationSet: 'local',
      production: false,
      baseUrl,
      tables,
    };
    return withoutOutside(awsFacts(place, told(ports)));
  }
  const { baseUrlOf, environments, prefixOf, tableNameOf } = await import('../../lib/environments.ts');
  const [environment] = environments(where.env);
  if (!environment) throw new UsageError(`There is no environment "${where.env}".`);
  return awsFacts(
    {
      region: environment.region,
      mail: environment.mail,
      configurationSet: prefixOf(environment),
      production: environment.deletionProtection,
      baseUrl: baseUrlOf(environment),
      tables: {
        directory: tableNameOf(environment, 'directory'),
        people: tableNameOf(environment, 'people'),
        flows: tableNameOf(environment, 'flows'),
      },
    },
    told(ports),
  );
}

/** The findings, and the refusal that ends the command with 1 when something is broken. */
export async function doctor(
  where: Whereabouts,
): Promise<{ readonly outcome: Outcome; readonly broken: RefusedError | undefined }> {
  const { examine } = await import('../../lib/doctor/examine.ts');
  const result = await examine(await factsOf(where));
  const failed = result.filter(({ status }) => status === 'fail').length;
  return {
    outcome: { list: { result }, columns: columns as readonly Column<never>[] },
    broken: failed === 0 ? undefined : new RefusedError(`${failed} checks failed.`),
  };
}
