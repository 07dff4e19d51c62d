import { setTimeout as delay } from 'node:timers/promises';

/** Event of a custom resource (AWS CloudFormation, "Custom resource request objects"). */
export interface CustomResourceEvent {
  readonly RequestType: 'Create' | 'Update' | 'Delete';
  readonly ResourceType: string;
  readonly ResponseURL: string;
  readonly StackId: string;
  readonly RequestId: string;
  readonly LogicalResourceId: string;
  readonly PhysicalResourceId?: string;
  readonly ResourceProperties: Readonly<Record<string, unknown>>;
}

/** Pauses between the attempts of `untilKnown`, in milliseconds. */
const PAUSES_MILLISECONDS = [250, 1000, 2000, 4000];

/**
 * Retries work that AWS rejects only for the first few seconds, because other services learn of a new IAM role with a delay.
 * @param isEarly - returns true for errors that a later attempt can avoid
 */
export async function untilKnown<Result>(
  work: () => Promise<Result>,
  isEarly: (error: unknown) => boolean,
): Promise<Result> {
  for (const pause of PAUSES_MILLISECONDS)
    try {
      return await work();
    } catch (error) {
      if (!isEarly(error)) throw error;
      await delay(pause);
    }
  return work();
}

/**
 * Runs `apply` for a creation or an update and `remove` for a deletion, and reports the outcome to CloudFormation. Without a
 * report, a deployment would hang until its timeout. A report of success contains `physicalId` and the attributes that `apply`
 * returned. A report of failure contains the name and message of the error. Failures and deletions report the previous ID,
 * because CloudFormation treats a new ID as a replacement and then deletes the old resource.
 * @throws if the report fails; Lambda then retries the event
 */
export async function answerCustomResource(
  event: CustomResourceEvent,
  physicalId: string,
  // biome-ignore lint/suspicious/noConfusingVoidType: most resources have no attributes
  apply: () => Promise<Readonly<Record<string, string>> | void>,
  remove: () => Promise<void> = async () => {},
): Promise<void> {
  let failure: string | undefined;
  let reportedId = event.PhysicalResourceId ?? physicalId;
  let attributes: Readonly<Record<string, string>> = {};
  try {
    if (event.RequestType === 'Delete') await remove();
    else {
      attributes = (await apply()) ?? {};
      reportedId = physicalId;
    }
  } catch (error) {
    failure = error instanceof Error ? `${error.name}: ${error.message}` : 'unknown error';
  }
  const response = await fetch(event.ResponseURL, {
    method: 'PUT',
    // The URL is signed for a request without a content type.
    headers: { 'content-type': '' },
    body: JSON.stringify({
      Status: failure === undefined ? 'SUCCESS' : 'FAILED',
      Reason: failure ?? 'done',
      PhysicalResourceId: reportedId,
      StackId: event.StackId,
      RequestId: event.RequestId,
      LogicalResourceId: event.LogicalResourceId,
      Data: attributes,
    }),
  });
  if (!response.ok) throw new Error(`CloudFormation answered ${response.status}`);
}
