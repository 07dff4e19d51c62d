import type { Page, PageRequest, Tenant } from '../../ports/directory.ts';
import type { FoundUser, MatchedAttribute, User } from '../../ports/people.ts';
import type { PortsWith } from '../../ports/uses.ts';
import { ADDRESS_TYPES } from '../../records/channels.ts';
import { foldForSearch } from '../basis/folded.ts';
import { isId, parseUserId } from '../basis/random.ts';
import { findUserByIdentifier } from '../identifiers/find-user.ts';
import { normaliseIdentifier } from '../identifiers/identifier.ts';

interface FindRequest extends PageRequest {
  /**
   * True if the search finds only users who have the complete text as an identifier. Otherwise it also finds users by the
   * beginning of a name.
   */
  readonly exactMatchesOnly: boolean;
  /** Application of the calling client, which does not find users by the external IDs of other applications. */
  readonly callerApplicationId?: string | undefined;
}

type FindPorts = PortsWith<
  'userRecords.listByBeginning' | 'identifiers' | 'users.find' | 'timeline.findSubjectOfRequest'
>;

/** Form of request IDs: those of API Gateway have 16 characters, and those of the local server are UUIDs. */
const REQUEST_ID = /^[\w-]{12,40}=?$/;

const EXACT_MATCH_TYPES = [...ADDRESS_TYPES, 'username'] as const;

/**
 * Functions that return the texts by which a search finds a user, by the type of the match. With `callerApplicationId`, they
 * return only external IDs of this application.
 */
const SEARCHED_TEXTS: Readonly<
  Record<
    MatchedAttribute,
    (user: User, callerApplicationId: string | undefined) => readonly (string | undefined)[]
  >
> = {
  user_id: ({ userId }) => [userId],
  session_id: () => [],
  request_id: () => [],
  email: ({ email }) => [email?.value],
  phone_number: ({ phoneNumber }) => [phoneNumber?.value],
  username: ({ username }) => [username],
  external_user_id: ({ externalIds }, callerApplicationId) =>
    externalIds.flatMap(({ applicationId, value }) =>
      callerApplicationId === undefined || applicationId === callerApplicationId ? [value] : [],
    ),
  name: ({ firstName, lastName }) => [[firstName, lastName].filter(Boolean).join(' '), lastName],
};

/**
 * Finds the users who have the complete search text as an identifier. A session ID finds its user even after the session has
 * ended. A request ID finds the user of a failed request; clients do not find users by it, because the request may belong to
 * another application.
 */
async function findExactMatches(
  ports: FindPorts,
  tenant: Tenant,
  text: string,
  callerApplicationId: string | undefined,
): Promise<readonly FoundUser[]> {
  const byId = async (by: MatchedAttribute, userId: string) => {
    const user = isId(userId) ? await ports.users.find(userId) : undefined;
    return user?.tenantId === tenant.tenantId && { user, by };
  };
  const byIdentifier = async (by: MatchedAttribute) => {
    const identifier = normaliseIdentifier(by, text);
    const user = identifier && (await findUserByIdentifier(ports, tenant, identifier));
    return user && { user, by };
  };
  const byRequest = async () =>
    callerApplicationId === undefined &&
    REQUEST_ID.test(text) &&
    byId('request_id', (await ports.timeline.findSubjectOfRequest(text)) ?? '');
  const found = await Promise.all([
    byId('user_id', text),
    byId('session_id', parseUserId(text)),
    byRequest(),
    ...EXACT_MATCH_TYPES.map(byIdentifier),
  ]);
  return found.filter((each) => typeof each === 'object');
}

/** Finds users with a name that begins with the search text. Checks each hit, because an index entry may be outdated. */
async function findByBeginning(
  ports: FindPorts,
  tenant: Tenant,
  text: string,
  { callerApplicationId, ...page }: FindRequest,
): Promise<Page<FoundUser>> {
  const asked = foldForSearch(text);
  const fits = ({ user, by }: FoundUser) =>
    user.tenantId === tenant.tenantId &&
    (page.exactMatchesOnly
      ? by === 'external_user_id' && SEARCHED_TEXTS[by](user, callerApplicationId).includes(text)
      : SEARCHED_TEXTS[by](user, callerApplicationId).some(
          (each) => each !== undefined && foldForSearch(each).startsWith(asked),
        ));
  const { items, ...rest } = await ports.userRecords.listByBeginning(tenant.tenantId, text, page);
  // A page token could reveal an address, so it is not returned if only complete identifiers may be found.
  return { ...(page.exactMatchesOnly ? {} : rest), items: items.filter(fits) };
}

/**
 * Returns a page of the tenant's users that match a search text. First come the users for whom the text is a complete
 * identifier, then those whose email address, username, external ID or name begins with the text. With `exactMatchesOnly`,
 * returns only users for whom the text is a complete identifier.
 */
export async function findPeople(
  ports: FindPorts,
  tenant: Tenant,
  given: string,
  page: FindRequest,
): Promise<Page<FoundUser>> {
  const text = given.trim();
  const [whole, { items, ...rest }] = await Promise.all([
    page.cursor === undefined ? findExactMatches(ports, tenant, text, page.callerApplicationId) : [],
    findByBeginning(ports, tenant, text, page),
  ]);
  // Each user is listed once, with the first attribute by which they were found.
  const found = new Map([...whole, ...items].toReversed().map((each) => [each.user.userId, each]));
  return { ...rest, items: [...found.values()].toReversed() };
}
