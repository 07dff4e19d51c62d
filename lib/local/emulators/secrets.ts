import * as v from 'valibot';
import { AwsError, parse } from './basis/aws-error.ts';
import { JsonFile } from './basis/kept-file.ts';
import { LOCAL_REGION } from './basis/services.ts';

const StoredSecrets = v.record(v.string(), v.string());
const SecretIdInput = v.object({ SecretId: v.string() });
const PutInput = v.object({ SecretId: v.string(), SecretString: v.string() });
const CreateInput = v.object({ Name: v.string(), SecretString: v.string() });

/** Emulator of the AWS Secrets Manager operations that the service uses. */
export class Secrets {
  readonly #values: Map<string, string>;
  readonly #file: JsonFile;

  private constructor(file: JsonFile, values: Map<string, string>) {
    this.#file = file;
    this.#values = values;
  }

  /** Opens the secrets stored in a file. Without a path, secrets are only in memory. */
  static async open(path: string | undefined): Promise<Secrets> {
    const file = new JsonFile(path);
    return new Secrets(file, new Map(Object.entries(await file.read(StoredSecrets, {}))));
  }

  /** Handles a call of the Secrets Manager operation `action`, whose JSON body is `input`. Throws `AwsError` as AWS would. */
  async answer(action: string, input: unknown): Promise<object> {
    switch (action) {
      case 'GetSecretValue': {
        const name = this.#find(parse(SecretIdInput, input).SecretId);
        return { ...describeSecret(name), SecretString: this.#values.get(name) };
      }
      case 'PutSecretValue': {
        const { SecretId, SecretString } = parse(PutInput, input);
        return this.#write(this.#find(SecretId), SecretString);
      }
      case 'CreateSecret': {
        const { Name, SecretString } = parse(CreateInput, input);
        if (this.#values.has(Name))
          throw new AwsError('ResourceExistsException', `The secret ${Name} already exists`);
        return this.#write(Name, SecretString);
      }
      case 'DeleteSecret': {
        const name = this.#find(parse(SecretIdInput, input).SecretId);
        this.#values.delete(name);
        await this.#save();
        return describeSecret(name);
      }
      default:
        throw new AwsError(
          'UnknownOperationException',
          `The local Secrets Manager does not support ${action}`,
        );
    }
  }

  async clear(): Promise<void> {
    this.#values.clear();
    await this.#save();
  }

  async #write(name: string, value: string): Promise<object> {
    this.#values.set(name, value);
    await this.#save();
    return describeSecret(name);
  }

  #find(name: string): string {
    if (!this.#values.has(name))
      throw new AwsError('ResourceNotFoundException', "Secrets Manager can't find the specified secret.");
    return name;
  }

  #save(): Promise<void> {
    return this.#file.write(Object.fromEntries(this.#values));
  }
}

function describeSecret(name: string): { readonly ARN: string; readonly Name: string } {
  return { ARN: `arn:aws:secretsmanager:${LOCAL_REGION}:000000000000:secret:${name}-local1`, Name: name };
}
