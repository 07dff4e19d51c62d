import { spawnSync } from 'node:child_process';
import { describe, expect, jest, test } from '@jest/globals';
import { otlAsProcess } from '../support/server/otl.ts';

jest.setTimeout(120_000);

describe('otl completion', () => {
  test('completes commands and options in bash', async () => {
    const { stdout, code } = await otlAsProcess({}, ['completion', 'bash']);
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
    expect((await otlAsProcess({}, ['completion', 'zsh'])).stdout).toMatch(/^#compdef otl/);
    expect((await otlAsProcess({}, ['completion', 'fish'])).stdout).toContain('-l checkpoint');
    expect(await otlAsProcess({}, ['completion', 'tcsh'])).toMatchObject({ code: 2, stdout: '' });
  });
});
