import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseManifest, readFromArchive, readManifest } from '../../src/probes/drivers/jvm/jar-reader.ts';

const LONG = 'A title that is much longer than the seventy-two bytes which a line of a manifest may have';
let folder: string;
let jar: string;

beforeAll(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'jar-reader-'));
  jar = path.join(folder, 'app.jar');
  fs.writeFileSync(
    path.join(folder, 'manifest'),
    `Implementation-Title: ${LONG.slice(0, 40)}\n ${LONG.slice(40)}\nMain-Class: a.B\n`,
  );
  fs.writeFileSync(path.join(folder, 'hello.txt'), 'hello');
  const made = spawnSync('jar', ['cfm', jar, 'manifest', 'hello.txt'], { cwd: folder, encoding: 'utf8' });
  expect(made.stderr).toBe('');
});
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

const readerOf = (bytes: Buffer) => (target: Buffer, position: number) =>
  bytes.copy(target, 0, Math.min(position, bytes.length), Math.min(position + target.length, bytes.length));

const read = (bytes: Buffer, name: string) => readFromArchive(readerOf(bytes), bytes.length, name)?.toString() ?? null;

describe('the reader of jars', () => {
  it('reads a manifest that the JDK wrote', () => {
    const manifest = readManifest(jar);
    expect(manifest?.get('Main-Class')).toBe('a.B');
    expect(manifest?.get('Implementation-Title')).toBe(LONG);
  });

  it('finds a file, also where a program stands before the archive', () => {
    const bytes = fs.readFileSync(jar);
    expect(read(bytes, 'hello.txt')).toBe('hello');
    expect(read(bytes, 'other.txt')).toBeNull();
    expect(read(Buffer.concat([Buffer.from('#!/bin/sh\nexec java -jar "$0"\n'), bytes]), 'hello.txt')).toBe('hello');
  });

  it('has no manifest of what is no jar', () => {
    expect(readManifest(folder)).toBeNull();
    expect(readManifest(path.join(folder, 'missing.jar'))).toBeNull();
    expect(readManifest(path.join(folder, 'hello.txt'))).toBeNull();
    const fifo = path.join(folder, 'fifo.jar');
    spawnSync('mkfifo', [fifo]);
    expect(readManifest(fifo)).toBeNull();
  });

  it('takes any bytes, and an archive in which anything was changed', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => void read(Buffer.from(bytes), 'a')));
    const archive = fs.readFileSync(jar);
    const change = fc.tuple(fc.nat(archive.length - 1), fc.nat(255));
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 20 }), fc.nat(archive.length), (changes, length) => {
        const changed = Buffer.from(archive);
        for (const [at, byte] of changes) changed[at] = byte;
        read(changed, 'hello.txt');
        read(changed.subarray(0, length), 'META-INF/MANIFEST.MF');
      }),
    );
  });

  it('reads the main section only', () => {
    expect([...parseManifest('A: 1\r\nB: 2\r\n 3\r\nno colon\r\n\r\nName: x\r\nC: 4\r\n')]).toEqual([
      ['A', '1'],
      ['B', '23'],
    ]);
  });
});
