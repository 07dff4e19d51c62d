import { ORPHANED_RESERVATION_SECONDS } from '../../../shared/domain/basis/limits.ts';
import { nowSeconds } from '../../../shared/domain/basis/time.ts';
import { withExternalApplication } from '../../../shared/domain/identifiers/external-ids.ts';
import { findHolderId, hasIdentifier, identifiersOf } from '../../../shared/domain/identifiers/identifier.ts';
import { namedApplications, newUser, putUser } from '../../../shared/domain/users/create-user.ts';
import { catalogue } from '../../../shared/errors/catalogue.ts';
import { ServiceError } from '../../../shared/errors/service-error.ts';
import { check } from '../../../shared/http/parse.ts';
import type { Tenant } from '../../../shared/ports/directory.ts';
import type { User } from '../../../shared/ports/people.ts';
import { CreateUserBody } from '../../../shared/schemas/users.ts';
import type { OperatorPorts } from '../target/target.ts';
import { RefusedRow, type RowOutcome } from './import-users.ts';
import type { Pace } from './pace.ts';

/** The ports that create users and find the owners of identifiers. */
export type ImportPorts = Pick<
  OperatorPorts,
  'userRecords' | 'identifierReservations' | 'identifiers' | 'users'
>;

export interface RowOptions {
  /** Checks without creating users. */
  readonly dryRun: boolean;
  /** The applications of the tenant. */
  readonly known: readonly string[];
  /** Of the users whose rows name none. */
  readonly applications?: readonly string[] | undefined;
  readonly pace: Pace;
  readonly wait: (milliseconds: number) => Promise<unknown>;
  /** Called for each created user, and for each existing one. */
  readonly tell?: ((row: number, outcome: RowOutcome, user: User) => void) | undefined;
}

const BUSY_FIRST_MILLISECONDS = 200;
const BUSY_LONGEST_MILLISECONDS = 20_000;
/** About two minutes of pauses, besides the retries of the SDK; then an operator should look. */
const BUSY_ROUNDS = 18;
const FIRST_PAUSE_MILLISECONDS = 50;
const LONGEST_PAUSE_MILLISECONDS = 5000;
/** By then an orphaned reservation can be replaced. */
const RESERVATION_MILLISECONDS = (ORPHANED_RESERVATION_SECONDS + 5) * 1000;

/** The names are reserved and no user has them: another row is on its way, or a run broke off. */
class OrphanedReservation extends Error {
  readonly refusal: ServiceError;

  constructor(refusal: ServiceError) {
    super(refusal.message);
    this.refusal = refusal;
  }
}

const isTaken = (error: unknown): error is ServiceError =>
  error instanceof ServiceError && error.key === 'identifier_taken';
const isBusy = (error: unknown) => error instanceof ServiceError && error.key === 'service_unavailable';

/** A refusal by a rule concerns the row; any other error ends the import. */
function orRefused(error: unknown): unknown {
  if (!(error instanceof ServiceError) || catalogue[error.key].status >= 500) return error;
  return new RefusedRow(
    error.detail.messages?.join('; ') ?? error.detail.message ?? catalogue[error.key].message,
  );
}

/** Finds the owner of a user's identifiers: none, one user who has them all, or another user by at least one. */
async function ownerOf(
  ports: ImportPorts,
  tenant: Tenant,
  wanted: User,
): Promise<'none' | { readonly same: User } | { readonly taken: string }> {
  const names = identifiersOf(wanted);
  const holders = await Promise.all(names.map((name) => findHolderId(ports, tenant, name)));
  const ids = [...new Set(holders.filter((id) => id !== undefined))];
  const owners = await Promise.all(ids.map((id) => ports.users.find(id)));
  const ownerOfEach = names.map((name) =>
    owners.find((owner) => owner?.tenantId === tenant.tenantId && hasIdentifier(owner, name)),
  );
  const taken = names.find((_, index) => ownerOfEach[index] !== undefined);
  if (!taken) return 'none';
  const [first] = ownerOfEach;
  return first && new Set(ownerOfEach).size === 1 ? { same: first } : { taken: taken.type };
}

/**
 * Retries until success or refusal. While the tables are busy it waits longer each time and lowers the pace; for an orphaned
 * reservation it waits until that can be replaced.
 */
async function patiently<Result>(
  attempt: (isRepeated: boolean) => Promise<Result>,
  { pace, wait }: Pick<RowOptions, 'pace' | 'wait'>,
): Promise<Result> {
  let [rounds, waited] = [0, 0];
  for (let isRepeated = false; ; isRepeated = true) {
    try {
      const outcome = await attempt(isRepeated);
      pace.wentThrough();
      return outcome;
    } catch (error) {
      if (error instanceof OrphanedReservation && waited < RESERVATION_MILLISECONDS) {
        // Doubles the wait so far.
        const pause = Math.min(LONGEST_PAUSE_MILLISECONDS, Math.max(FIRST_PAUSE_MILLISECONDS, waited));
        waited += pause;
        await wait(pause);
      } else if (isBusy(error) && rounds < BUSY_ROUNDS) {
        pace.wasBusy();
        // Full jitter: rows that were refused together do not retry together.
        await wait(
          Math.random() * Math.min(BUSY_LONGEST_MILLISECONDS, BUSY_FIRST_MILLISECONDS * 2 ** rounds),
        );
        rounds += 1;
      } else throw error;
    }
  }
}

/** Imports rows. Every attempt of a row uses the same user ID, so a lost answer does not create the user twice. */
export function rowImporter(ports: ImportPorts, tenant: Tenant, options: RowOptions) {
  async function store(user: User, isRepeated: boolean): Promise<[RowOutcome, User]> {
    if (isRepeated && (await ports.userRecords.find(user.userId))) return ['created', user];
    try {
      await putUser(ports, user);
      return ['created', user];
    } catch (error) {
      if (!isTaken(error)) throw error;
      const owner = await ownerOf(ports, tenant, user);
      if (owner === 'none') throw new OrphanedReservation(error);
      if ('taken' in owner) throw error;
      return ['existing', owner.same];
    }
  }

  async function look(user: User): Promise<[RowOutcome, User]> {
    const owner = await ownerOf(ports, tenant, user);
    if (owner === 'none') return ['created', user];
    if ('taken' in owner) throw new RefusedRow(`${owner.taken}: belongs to another user`);
    return ['existing', owner.same];
  }

  return async (body: unknown, row: number): Promise<RowOutcome> => {
    try {
      const at = nowSeconds();
      const fields = check(CreateUserBody, body);
      const { known } = options;
      const applications = namedApplications(known, fields.applications ?? options.applications);
      const user = newUser(tenant, withExternalApplication(known, fields), applications, at);
      const attempt = (isRepeated: boolean) => (options.dryRun ? look(user) : store(user, isRepeated));
      const [outcome, owner] = await patiently(attempt, options);
      options.tell?.(row, outcome, owner);
      return outcome;
    } catch (error) {
      throw orRefused(error instanceof OrphanedReservation ? error.refusal : error);
    }
  };
}
