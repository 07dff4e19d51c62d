import { join, relative, sep } from 'node:path';
import { types } from 'node:util';
import vm from 'node:vm';
import { TestEnvironment } from 'jest-environment-node';
import { makeKey } from '../../../lib/local/emulators/kms/kms-key.ts';
import { type ServerOptions, serveEmulators } from '../../../lib/local/emulators/server.ts';
import { noteLines } from '../../mutants/coverage.ts';
import { oracle } from '../server/oracle.ts';
import { otlChild } from '../server/otl-child.ts';
import { callWithoutHttp } from './memory-calls.ts';
import { fetchInMemory } from './memory-fetch.ts';
import { callInMemory } from './memory-socket.ts';
import './shifted-clock.ts';

const rsaKey = makeKey('', 'RSA_2048');

/** Gives RSA keys the key material that all test files of this process share, because generating a key takes long. */
async function withRsaKey(keys: ServerOptions['keys'] = []): Promise<ServerOptions['keys']> {
  const { material } = await rsaKey;
  return keys.map((key) => (key.spec === 'RSA_2048' ? { ...key, material } : key));
}

/** Starts the emulators in this thread, where the SDK's clients reach them without sockets. */
async function serveInMemory(...[options, tell]: Parameters<typeof serveEmulators>) {
  const { port, server, faults, close } = await serveEmulators(
    { ...options, keys: await withRsaKey(options.keys) },
    tell,
  );
  const forgets = [callInMemory(port, server), callWithoutHttp(port, server, () => faults.list().length > 0)];
  return {
    port,
    close() {
      for (const forget of forgets) forget();
      close();
    },
  };
}

/** Events of jest-circus for a failed test or hook. */
const FAILURES = new Set(['test_fn_failure', 'hook_failure']);

const STACK_FRAMES = 20;
/** Folders of tests about HTTP or about programs that send HTTP requests. These tests use real sockets. */
const OVER_SOCKETS = /^(?:browser|bundles|client|clients|conformance|local|package)\//;
const TESTS = join(import.meta.dirname, '../..');

const { createContext } = vm;
type Node = InstanceType<typeof TestEnvironment>;
let shared: Node | undefined;

/**
 * Returns one jest environment for all files of this process, because cached modules (see `runtime.ts`) belong to its
 * context.
 */
function sharedEnvironment(...parameters: ConstructorParameters<typeof TestEnvironment>): Node {
  if (shared) return shared;
  // By default, the context would wrap a sandbox object. Then each use of a global such as `Object` would take thirty times
  // as long.
  vm.createContext = () => createContext(vm.constants.DONT_CONTEXTIFY);
  try {
    shared = new TestEnvironment(...parameters);
  } finally {
    vm.createContext = createContext;
  }
  shareGlobals(shared.global);
  return shared;
}

/** jest environment that all test files of a worker share, because creating a context for each file would be slow. */
export default class Environment {
  readonly global: Node['global'];
  readonly moduleMocker: Node['moduleMocker'];
  readonly fakeTimers: Node['fakeTimers'];
  readonly fakeTimersModern: Node['fakeTimersModern'];
  readonly #shared: Node;
  readonly #date = Date;
  readonly #variables = { ...process.env };
  readonly #globals: PropertyDescriptorMap;
  readonly #exit: typeof process.exit;
  /** Path of the test file relative to the folder `test`. */
  readonly #path: string;
  readonly #noted: (() => void) | undefined;

  constructor(...parameters: ConstructorParameters<typeof TestEnvironment>) {
    this.#path = relative(TESTS, parameters[1].testPath).replaceAll(sep, '/');
    this.#shared = sharedEnvironment(...parameters);
    const { COVERAGE_FOLDER } = process.env;
    this.#noted = COVERAGE_FOLDER ? noteLines(COVERAGE_FOLDER, parameters[1].testPath) : undefined;
    const { global, moduleMocker, fakeTimers, fakeTimersModern } = this.#shared;
    this.global = global;
    this.moduleMocker = moduleMocker;
    this.fakeTimers = fakeTimers;
    this.fakeTimersModern = fakeTimersModern;
    this.#globals = Object.getOwnPropertyDescriptors(global);
    this.#exit = global.process.exit;
    global.process.env = process.env;
  }

  /** Exits after the first failing test if a mutant is being tested, because one failure is enough to kill it. */
  handleTestEvent({ name }: { readonly name: string }): void {
    if (process.env.MUTANT && FAILURES.has(name)) process.exit(1);
  }

  exportConditions(): string[] {
    return this.#shared.exportConditions();
  }

  getVmContext(): vm.Context | null {
    return this.#shared.getVmContext();
  }

  /**
   * Starts the emulators in this thread, because starting a separate thread would take longer than most test files. Their state
   * is new for each file.
   */
  async setup(): Promise<void> {
    const isBundled =
      process.env.BUNDLED?.split(',').some((prefix) => this.#path.startsWith(prefix)) ?? false;
    Object.assign(this.global, { serveInMemory, oracle, otlChild, isBundled });
    if (!OVER_SOCKETS.test(this.#path)) this.global.fetch = fetchInMemory;
    // jest sets the limit to 100. Node.js creates many errors during key look-ups, and each stack frame costs time.
    for (const { Error: errors } of [this.global, globalThis]) errors.stackTraceLimit = STACK_FRAMES;
  }

  /** Removes everything that a test file has installed, before the next file runs. */
  async teardown(): Promise<void> {
    this.#noted?.();
    this.moduleMocker?.restoreAllMocks();
    this.fakeTimersModern?.useRealTimers();
    globalThis.Date = this.#date;
    this.global.process.exit = this.#exit;
    restore(this.global, this.#globals);
    for (const name of Object.keys(process.env)) if (!(name in this.#variables)) delete process.env[name];
    Object.assign(process.env, this.#variables);
  }
}

function restore(global: object, before: PropertyDescriptorMap): void {
  for (const key of Reflect.ownKeys(global)) if (!(key in before)) Reflect.deleteProperty(global, key);
  for (const key of Reflect.ownKeys(before)) {
    const [old, now] = [before[key], Object.getOwnPropertyDescriptor(global, key)];
    if (old?.configurable && (now?.value !== old.value || now?.get !== old.get))
      Object.defineProperty(global, key, old);
  }
}

/**
 * Makes the context and the packages share globals. Packages run outside the context (see `runtime.ts`), but must use the same
 * clock, constructors and error checks.
 */
function shareGlobals(global: typeof globalThis): void {
  Object.defineProperty(global, 'Date', {
    configurable: true,
    get: () => Date,
    set(value) {
      globalThis.Date = value;
    },
  });
  // `expect` also runs outside the context, and `expect.any` compares with the constructors of its own context.
  Object.assign(global, { BigInt, Boolean, Number, String, Symbol, Math, Map, Set });
  // Errors of Node.js and of packages are no instances of the context's own `Error`. The AWS SDK would drop the name and code
  // of such errors, so `instanceof Error` accepts every native error.
  for (const { Error: errors } of [global, globalThis])
    Object.defineProperty(errors, Symbol.hasInstance, {
      configurable: true,
      value(this: unknown, value: unknown): boolean {
        if (this === errors && types.isNativeError(value)) return true;
        return Function.prototype[Symbol.hasInstance].call(this as () => void, value);
      },
    });
}
