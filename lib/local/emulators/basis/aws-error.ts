import * as v from 'valibot';

/** An error that the SDK's clients turn into the typed exception named by `code`. */
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

/** Throws AwsError for what does not fit the schema. */
export function parse<Schema extends v.GenericSchema>(schema: Schema, input: unknown): v.InferOutput<Schema> {
  const result = v.safeParse(schema, input);
  if (result.success) return result.output;
  throw new AwsError('ValidationException', v.summarize(result.issues));
}
