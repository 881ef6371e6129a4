import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { connectionOf } from '../../../src/cli/connection.ts';
import { tempFolder } from '../store/temp-folder.ts';

describe('the key that the commands have for themselves', () => {
  const ownKeyIn = (homeDir: string) => path.join(homeDir, '.local/share/substrate/cli-key.json');

  it.each(['http://127.0.0.1:7842', 'http://localhost:1', 'http://[::1]:1/', 'http://127.1.2.3:1'])(
    'is for %s',
    async (url) => {
      const homeDir = tempFolder();
      expect((await connectionOf({ url, env: {}, homeDir })).key).toMatch(/^sk_substrate_/);
      expect(fs.statSync(ownKeyIn(homeDir)).mode & 0o777).toBe(0o600);
    },
  );

  it.each([
    'http://192.0.2.1:7842',
    'http://other-host:7842',
    'https://daemon.example',
    'http://127.0.0.1.evil.example:7842',
    'http://localhost.evil.example',
    'http://127.0.0.1@evil.example',
    'http://[::2]:7842',
  ])('is neither made for nor shown to %s', async (url) => {
    const homeDir = tempFolder();
    await connectionOf({ env: {}, homeDir });
    const own = fs.readFileSync(ownKeyIn(homeDir), 'utf8');
    const connection = await connectionOf({ url, env: {}, homeDir });
    expect(connection).toEqual({ baseUrl: url, keyProblem: expect.stringContaining('loopback') });
    expect(fs.readFileSync(ownKeyIn(homeDir), 'utf8')).toBe(own);
    const elsewhere = tempFolder();
    await connectionOf({ url, env: {}, homeDir: elsewhere });
    expect(fs.readdirSync(elsewhere)).toEqual([]);
  });

  it('is not for an address of the network that the configuration names', async () => {
    const env = { SUBSTRATE_SERVER__HOST: '192.0.2.1' };
    expect(await connectionOf({ env, homeDir: tempFolder() })).not.toHaveProperty('key');
    const everywhere = await connectionOf({ env: { SUBSTRATE_SERVER__HOST: '0.0.0.0' }, homeDir: tempFolder() });
    expect(everywhere).toMatchObject({ baseUrl: 'http://127.0.0.1:7842', key: expect.stringMatching(/^sk_/) });
  });

  it('gives way to one that is given, wherever that is to go', async () => {
    const url = 'http://192.0.2.1:7842';
    const homeDir = tempFolder();
    expect(await connectionOf({ url, key: 'sk_1', env: {}, homeDir })).toEqual({ baseUrl: url, key: 'sk_1' });
    expect((await connectionOf({ url, env: { SUBSTRATE_KEY: 'sk_2' }, homeDir })).key).toBe('sk_2');
  });
});
