import * as v from 'valibot';

/** Error of an emulator. The AWS SDK converts the error to the typed exception whose name is `code`. */
export class AwsError extends Error {
  readonly code: string;
  readonly status: number;

  constructor(code: string, message: string, status = 400) {
    super(message);
    this.name = 'AwsError';
    this.code = code;
    this.status = status;
  }
}

/** Parses the input of an AWS call with a schema. Throws an `AwsError` named `ValidationException` for an invalid input. */
export function parse<Schema extends v.GenericSchema>(schema: Schema, input: unknown): v.InferOutput<Schema> {
  const result = v.safeParse(schema, input);
  if (result.success) return result.output;
  throw new AwsError('ValidationException', v.summarize(result.issues));
}
