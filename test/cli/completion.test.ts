import { spawnSync } from 'node:child_process';
import { describe, expect, jest, test } from '@jest/globals';
import { otlWith } from '../support/server/otl.ts';

jest.setTimeout(120_000);

describe('otl completion', () => {
  test('completes commands and options in bash', async () => {
    const { stdout, code } = await otlWith({}, ['completion', 'bash']);
    expect(code).toBe(0);
    const complete = (line: string) => {
      const words = line.split(' ');
      const script = `${stdout}\nCOMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}; _otl; echo "\${COMPREPLY[@]}"`;
      return spawnSync('bash', ['-c', script]).stdout.toString().trim().split(' ');
    };
    expect(complete('otl us')).toEqual(['user']);
    expect(complete('otl user imp')).toEqual(['import']);
    expect(complete('otl --json user import --check')).toEqual(['--checkpoint']);
    expect(complete('otl webhook delete 0a1b --y')).toEqual(['--yes']);
  });

  test('knows zsh and fish, and no other', async () => {
    expect((await otlWith({}, ['completion', 'zsh'])).stdout).toMatch(/^#compdef otl/);
    expect((await otlWith({}, ['completion', 'fish'])).stdout).toContain('-l checkpoint');
    expect(await otlWith({}, ['completion', 'tcsh'])).toMatchObject({ code: 2, stdout: '' });
  });
});
