import {
  ORPHANED_RESERVATION_SECONDS,
  RESERVATION_FILL_SECONDS,
} from '../../../shared/domain/basis/limits.ts';
import { nowSeconds, preciseNow } from '../../../shared/domain/basis/time.ts';
import {
  hasIdentifier,
  listExternalIdentifiers,
  listIdentifiers,
} from '../../../shared/domain/identifiers/identifier.ts';
import { releaseIdentifiers } from '../../../shared/domain/identifiers/identifier-reservations.ts';
import { putUser } from '../../../shared/domain/users/create-user.ts';
import { catalogue, type ErrorKey } from '../../../shared/errors/catalogue.ts';
import { ServiceError } from '../../../shared/errors/service-error.ts';
import type { Tenant } from '../../../shared/ports/directory.ts';
import type { User } from '../../../shared/ports/people.ts';
import { type ImportedPasskeys, type ImportPorts, importedPasskeys, isSameUser } from './import-passkeys.ts';
import { RefusedRow, type RowOutcome } from './import-users.ts';
import { importedUser } from './imported-user.ts';
import type { Pace } from './pace.ts';
import { type ImportedRow, type ImportTerms, readImportedRow } from './taken-row.ts';

export interface RowOptions {
  /** True to only check the rows of the import, without creating users. */
  readonly dryRun: boolean;
  readonly terms: ImportTerms;
  readonly pace: Pace;
  readonly wait: (milliseconds: number) => Promise<unknown>;
  /**
   * Called for each row whose user was created or existed already. `made.at` is the time, in epoch seconds, at which the import
   * created the user.
   */
  readonly logUser?: ((row: number, outcome: RowOutcome, made: ImportedUser) => void) | undefined;
}

export interface ImportedUser {
  readonly userId: string;
  readonly at: number;
}

const BUSY_FIRST_MILLISECONDS = 200;
const BUSY_LONGEST_MILLISECONDS = 20_000;
/**
 * Number of retries while the tables are busy. All retries together take about two minutes, after which an operator should find
 * the cause.
 */
const BUSY_ROUNDS = 18;
const FIRST_PAUSE_MILLISECONDS = 50;
const LONGEST_PAUSE_MILLISECONDS = 5000;
/** Milliseconds after which an orphaned reservation, whose user was never stored, can be replaced. */
const RESERVATION_MILLISECONDS = (ORPHANED_RESERVATION_SECONDS + 5) * 1000;

/** Error for identifiers that are reserved although no user has them: another row is in progress, or a run was interrupted. */
class OrphanedReservation extends Error {
  readonly refusal: ServiceError;

  constructor(refusal: ServiceError) {
    super(refusal.message);
    this.refusal = refusal;
  }
}

const is = (key: ErrorKey, error: unknown): error is ServiceError =>
  error instanceof ServiceError && error.key === key;

/**
 * Converts an error with which the service rejects a user to a `RefusedRow`. Returns any other error, which ends the import,
 * unchanged.
 */
function toRefusedRow(error: unknown): unknown {
  if (!(error instanceof ServiceError) || catalogue[error.key].status >= 500) return error;
  return new RefusedRow(
    error.detail.messages?.join('; ') ?? error.detail.message ?? catalogue[error.key].message,
  );
}

interface Wanted {
  readonly user: User;
  readonly passkeys: ImportedPasskeys;
}

/**
 * Finds the existing user who has all identifiers of a row, or returns undefined if no user has any of them. Throws
 * `RefusedRow` if the identifiers belong to different users or only some are taken, and `passkey_taken` if another user has or
 * reserves one of the passkeys.
 */
async function findUser(
  ports: ImportPorts,
  { tenantId }: Tenant,
  { user: wanted, passkeys: { credentialIds } }: Wanted,
): Promise<User | undefined> {
  const names = [...listIdentifiers(wanted), ...listExternalIdentifiers(wanted)];
  const holders = await ports.holders.find(tenantId, names, credentialIds);
  const ids = [...new Set(holders.filter((id) => id !== undefined))];
  const users = await Promise.all(ids.map((id) => ports.userRecords.find(id)));
  const findById = (id: string | undefined) => users.find((user) => user !== undefined && user.userId === id);
  const owners = names.map((name, index) => {
    const owner = findById(holders[index]);
    return owner?.tenantId === tenantId && hasIdentifier(owner, name) ? owner : undefined;
  });
  const [found] = owners;
  const taken = names.find((_, index) => owners[index] !== undefined);
  if (taken && owners.some((owner) => owner !== found))
    throw new RefusedRow(
      `${taken.type.replace(/^external:.*/, 'external_user_id')}: belongs to another user`,
    );
  if (holders.slice(names.length).some((id) => id !== found?.userId && findById(id)))
    throw new ServiceError('passkey_taken');
  return found;
}

/**
 * Retries an attempt until it succeeds or is rejected. While the tables are busy, waits longer each time and imports fewer rows
 * concurrently. For an orphaned reservation, waits until the reservation can be replaced.
 */
async function withRetries<Result>(
  attempt: (isRepeated: boolean) => Promise<Result>,
  { pace, wait }: Pick<RowOptions, 'pace' | 'wait'>,
): Promise<Result> {
  let [rounds, waited] = [0, 0];
  for (let isRepeated = false; ; isRepeated = true) {
    try {
      const outcome = await attempt(isRepeated);
      pace.recordSuccess();
      return outcome;
    } catch (error) {
      if (error instanceof OrphanedReservation && waited < RESERVATION_MILLISECONDS) {
        // Each pause doubles the total waiting time so far.
        const pause = Math.min(LONGEST_PAUSE_MILLISECONDS, Math.max(FIRST_PAUSE_MILLISECONDS, waited));
        waited += pause;
        await wait(pause);
      } else if (is('service_unavailable', error) && rounds < BUSY_ROUNDS) {
        pace.recordBusy();
        // Full jitter, so that rows that failed together do not retry together.
        await wait(
          Math.random() * Math.min(BUSY_LONGEST_MILLISECONDS, BUSY_FIRST_MILLISECONDS * 2 ** rounds),
        );
        rounds += 1;
      } else throw error;
    }
  }
}

/**
 * Drops the row's user ID if another user of this service already has it, so that the user gets a new ID. Throws `RefusedRow`
 * if the previous ID would then be stored nowhere.
 */
async function withFreeId(ports: ImportPorts, taken: ImportedRow): Promise<ImportedRow> {
  const { userId, externalIds } = taken;
  if (userId === undefined || !(await ports.userRecords.find(userId))) return taken;
  // The ID is not lost if it is also stored as an external ID.
  if (externalIds.some(({ value }) => value === userId)) return { ...taken, userId: undefined };
  throw new RefusedRow('user_id: belongs to another user');
}

/**
 * Returns a function that imports one row. All attempts of a row use the same user ID, so that a lost response does not create
 * the user twice. Passkeys are stored after their user. A later run that finds the user unchanged stores the missing passkeys.
 */
export function rowImporter(ports: ImportPorts, tenant: Tenant, options: RowOptions) {
  const { terms } = options;
  const preparePasskeys = importedPasskeys(ports, terms);

  /** Creates the user of the row and returns undefined. If the user already exists, returns the existing user instead. */
  async function put({ user, passkeys }: Wanted): Promise<User | undefined> {
    const ids = listExternalIdentifiers(user);
    const began = preciseNow();
    const whileHeld: ImportPorts = {
      ...ports,
      userRecords: {
        ...ports.userRecords,
        async put(made) {
          await passkeys.holdFor(made.userId);
          // Reserving many passkeys in a busy table can take so long that another row may have replaced the first reservations.
          if (preciseNow() - began >= RESERVATION_FILL_SECONDS) throw new ServiceError('service_unavailable');
          return ports.userRecords.put(made);
        },
      },
    };
    try {
      await putUser(whileHeld, user, ids);
      return undefined;
    } catch (error) {
      if (is('passkey_taken', error))
        await releaseIdentifiers(ports, user, [...listIdentifiers(user), ...ids], preciseNow());
      else if (!is('identifier_taken', error)) throw error;
      const owner = await findUser(ports, tenant, { user, passkeys });
      if (!owner) throw new OrphanedReservation(error);
      return owner;
    }
  }

  async function store(wanted: Wanted, isRepeated: boolean): Promise<[RowOutcome, User]> {
    const { user, passkeys } = wanted;
    const own = isRepeated ? await ports.userRecords.find(user.userId) : undefined;
    const found = own && isSameUser(own, user) ? undefined : await put(wanted);
    // A user who has logged in since the import may have removed a passkey on purpose.
    if (!found || (isSameUser(found, user) && found.lastAuthAt === undefined))
      await passkeys.storeFor((found ?? user).userId, !found);
    return found ? ['existing', found] : ['created', user];
  }

  async function findOnly(wanted: Wanted): Promise<[RowOutcome, User]> {
    const found = await findUser(ports, tenant, wanted);
    return found ? ['existing', found] : ['created', wanted.user];
  }

  return async (body: unknown, row: number): Promise<RowOutcome> => {
    try {
      const at = nowSeconds();
      const taken = await withFreeId(ports, readImportedRow(body, terms));
      const { fields, applications, externalIds } = taken;
      const former = { ...taken, hasPasskeys: taken.passkeys.length > 0 };
      const user = importedUser(tenant, fields, former, { applications, externalIds, at });
      const wanted = { user, passkeys: preparePasskeys(user, taken, at) };
      const attempt = (isRepeated: boolean) =>
        options.dryRun ? findOnly(wanted) : store(wanted, isRepeated);
      const [outcome, owner] = await withRetries(attempt, options);
      const isDated = taken.createdAt !== undefined && isSameUser(owner, user);
      options.logUser?.(row, outcome, {
        userId: owner.userId,
        at: isDated ? owner.updatedAt : owner.createdAt,
      });
      return outcome;
    } catch (error) {
      throw toRefusedRow(error instanceof OrphanedReservation ? error.refusal : error);
    }
  };
}
