/**
 * Calls an AWS operation with the AWS JSON protocol, without the SDK. Throws an `Error` named after the AWS exception. The
 * signature is a constant: no emulator checks the signature, but DynamoDB Local reads the credential scope in it.
 */
export async function callJson<Result>(endpoint: string, target: string, input: object): Promise<Result> {
  const response = await fetch(endpoint, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-amz-json-1.0',
      'x-amz-target': target,
      'x-amz-date': 'local',
      authorization:
        'AWS4-HMAC-SHA256 Credential=local/20260101/eu-central-1/any/aws4_request, SignedHeaders=host, Signature=local',
    },
    body: JSON.stringify(input),
  });
  const answer: unknown = await response.json();
  if (response.ok) return answer as Result;
  const { __type = '', message = '' } = answer as { __type?: string; message?: string };
  const error = new Error(message);
  error.name = __type.slice(__type.lastIndexOf('#') + 1);
  throw error;
}
