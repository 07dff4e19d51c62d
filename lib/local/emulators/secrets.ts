import * as v from 'valibot';
import { readFileIfThere, writeFileAtomically } from './basis/atomic-file.ts';
import { AwsError } from './basis/aws-error.ts';
import { LOCAL_REGION } from './basis/services.ts';

const Stored = v.record(v.string(), v.string());
const Named = v.object({ SecretId: v.string() });
const Put = v.object({ SecretId: v.string(), SecretString: v.string() });
const Create = v.object({ Name: v.string(), SecretString: v.string() });

/** The part of AWS Secrets Manager that the service uses. */
export class Secrets {
  readonly #values: Map<string, string>;
  readonly #file: string | undefined;
  #writing: Promise<void> = Promise.resolve();

  private constructor(file: string | undefined, values: Map<string, string>) {
    this.#file = file;
    this.#values = values;
  }

  /** `file`: where they are kept; absent: in memory. */
  static async open(file: string | undefined): Promise<Secrets> {
    const stored = file === undefined ? undefined : await readFileIfThere(file);
    return new Secrets(file, new Map(Object.entries(v.parse(Stored, JSON.parse(stored ?? '{}')))));
  }

  /** @param action the name of the operation; @param input its JSON body. Throws AwsError. */
  async answer(action: string, input: unknown): Promise<object> {
    switch (action) {
      case 'GetSecretValue': {
        const name = this.#find(parse(Named, input).SecretId);
        return { ...described(name), SecretString: this.#values.get(name) };
      }
      case 'PutSecretValue': {
        const { SecretId, SecretString } = parse(Put, input);
        return this.#write(this.#find(SecretId), SecretString);
      }
      case 'CreateSecret': {
        const { Name, SecretString } = parse(Create, input);
        if (this.#values.has(Name)) throw new AwsError('ResourceExistsException', `${Name} exists`);
        return this.#write(Name, SecretString);
      }
      case 'DeleteSecret': {
        const name = this.#find(parse(Named, input).SecretId);
        this.#values.delete(name);
        await this.#save();
        return described(name);
      }
      default:
        throw new AwsError('UnknownOperationException', `Secrets Manager has no ${action} here`);
    }
  }

  async clear(): Promise<void> {
    this.#values.clear();
    await this.#save();
  }

  async #write(name: string, value: string): Promise<object> {
    this.#values.set(name, value);
    await this.#save();
    return described(name);
  }

  #find(name: string): string {
    if (!this.#values.has(name))
      throw new AwsError('ResourceNotFoundException', "Secrets Manager can't find the specified secret.");
    return name;
  }

  #save(): Promise<void> {
    const file = this.#file;
    if (file === undefined) return Promise.resolve();
    const content = JSON.stringify(Object.fromEntries(this.#values));
    this.#writing = this.#writing.then(() => writeFileAtomically(file, content));
    return this.#writing;
  }
}

function described(name: string): { readonly ARN: string; readonly Name: string } {
  return { ARN: `arn:aws:secretsmanager:${LOCAL_REGION}:000000000000:secret:${name}-local1`, Name: name };
}

function parse<Schema extends v.GenericSchema>(schema: Schema, input: unknown): v.InferOutput<Schema> {
  const result = v.safeParse(schema, input);
  if (result.success) return result.output;
  throw new AwsError('ValidationException', v.summarize(result.issues));
}
