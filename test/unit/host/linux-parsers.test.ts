import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseMappedFiles } from '../../../src/host/linux/mapped-files.ts';
import { splitArgv } from '../../../src/host/linux/split-argv.ts';
import { parseStatus } from '../../../src/host/linux/status-file.ts';
import { decodeAddress, parseListeningSockets } from '../../../src/host/linux/tcp-table.ts';
import { inodesOf, parseUnixListeners } from '../../../src/host/linux/unix-table.ts';
import { parseStatLine } from '../../../src/model/proc-stat.ts';
import { statLine } from './fake-proc.ts';

const bytes = (maxLength: number) => fc.uint8Array({ maxLength }).map((array) => Buffer.from(array));

describe('the stat line', () => {
  it('is read whatever the process calls itself', () => {
    fc.assert(
      fc.property(fc.oneof(bytes(15), fc.constant(Buffer.from(') R 1 2 3 ('))), fc.nat(), (name, startTime) => {
        const [before = '', after = ''] = statLine(42, { name: '@', startTime }).split('@');
        const stat = parseStatLine(Buffer.concat([Buffer.from(before), name, Buffer.from(after)]));
        expect(stat).toMatchObject({ name: name.toString('utf8'), ppid: 1, startTime: String(startTime) });
      }),
    );
  });

  it('hides the image where the kernel does', () => {
    expect(parseStatLine(Buffer.from(statLine(42, { startTime: 1, startStack: 0 })))?.image).toBeNull();
  });

  it('never throws', () => {
    fc.assert(fc.property(bytes(400), (noise) => void parseStatLine(noise)));
    const line = statLine(42, { startTime: 123 });
    for (let length = 0; length < line.length; length++) parseStatLine(Buffer.from(line.slice(0, length)));
    expect(parseStatLine(Buffer.from('42 (x) S 1 2'))).toBeNull();
  });
});

describe('the status file', () => {
  it('is read by its lines', () => {
    const text =
      'Name:\tUid: 5\\nSigCgt:\\tff\nUid:\t1000\t0\t0\t0\nGid:\t100\t7\t7\t7\nNSpid:\t4711\t12\t1\nSigIgn:\t0000000000001000\nSigCgt:\t0000000108004a02\nState:\tS (sleeping)\nVmRSS:\t       2 kB\nvoluntary_ctxt_switches:\t12\nnonvoluntary_ctxt_switches:\t4\n';
    expect(parseStatus(text)).toEqual({
      uid: 1000,
      effectiveUid: 0,
      effectiveGid: 7,
      caughtSignals: 0x108004a02n,
      ignoredSignals: 0x1000n,
      namespacePid: 1,
      stopped: false,
      sleeping: true,
      voluntarySwitches: 12n,
      residentBytes: 2048,
    });
  });

  it('tells a sleep by its count, whatever the process calls itself', () => {
    const name = fc.string({ unit: 'binary-ascii' }).map((text) => text.replaceAll('\n', '\\n'));
    fc.assert(
      fc.property(name, fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), (text, count) => {
        const status = `Name:\t${text}\nState:\tS (sleeping)\nUid:\t0\nvoluntary_ctxt_switches:\t${count}\n`;
        expect(parseStatus(status)).toMatchObject({ sleeping: true, voluntarySwitches: count });
      }),
    );
  });

  it('has no handlers where it does not say', () => {
    expect(parseStatus('Uid:\t1\n')).toEqual({
      uid: 1,
      effectiveUid: 1,
      effectiveGid: -1,
      caughtSignals: 0n,
      ignoredSignals: 0n,
      namespacePid: null,
      stopped: false,
      sleeping: false,
      voluntarySwitches: null,
      residentBytes: 0,
    });
    expect(parseStatus('')).toBeNull();
  });

  it('never throws', () => {
    fc.assert(fc.property(fc.string(), (text) => void parseStatus(`Uid:\t1\nSigCgt:${text}\nNSpid:${text}\n`)));
    fc.assert(fc.property(fc.string(), (text) => void parseStatus(`Uid:\t1\nvoluntary_ctxt_switches:${text}\n`)));
  });
});

describe('the arguments', () => {
  const argument = fc.string({ minLength: 1, unit: 'grapheme' }).filter((text) => !text.includes('\0'));

  it('come back as they were given', () => {
    fc.assert(
      fc.property(fc.array(argument, { minLength: 1 }), (argv) => {
        expect(splitArgv(Buffer.from(argv.map((text) => `${text}\0`).join('')), false)).toEqual(argv);
      }),
    );
  });

  it('keep empty ones inside, lose those at the end', () => {
    expect(splitArgv(Buffer.from('a\0\0b\0\0\0'), false)).toEqual(['a', '', 'b']);
    expect(splitArgv(Buffer.from('title without end'), false)).toEqual(['title without end']);
    expect(splitArgv(Buffer.alloc(0), false)).toEqual([]);
  });

  it('lose the last one when cut off in the middle of it', () => {
    expect(splitArgv(Buffer.from('a\0b\0cut'), true)).toEqual(['a', 'b']);
    expect(splitArgv(Buffer.from('endless'), true)).toEqual(['endless']);
  });

  it('may be any bytes', () => {
    fc.assert(fc.property(bytes(300), fc.boolean(), (noise, cut) => void splitArgv(noise, cut)));
    expect(splitArgv(Buffer.from([0x61, 0xff, 0]), false)).toEqual(['a\uFFFD']);
  });
});

describe('the mapped files', () => {
  it('are the paths, each once', () => {
    const maps = [
      '00400000-00452000 r-xp 00000000 08:02 173521      /usr/lib/my lib [1].so',
      '00452000-00453000 r--p 00000000 08:02 173521      /usr/lib/my lib [1].so',
      '00e03000-00e24000 rw-p 00000000 00:00 0           [heap]',
      '7f0000000000-7f0000001000 rw-p 00000000 00:00 0 ',
      '7f0000001000-7f0000002000 rw-p 00000000 00:00 0   [anon:a /b c]',
      '7f0000002000-7f0000003000 rw-s 00000000 00:01 12  /memfd:doublemapper (deleted)',
      '7f0000003000-7f0000004000 r--p 00000000 08:02 77  /opt/libjvm.so (deleted)',
      '7f0000004000-7f0000005000 r--p 00000000 08:02 78  /cut/off',
    ].join('\n');
    expect(parseMappedFiles(maps)).toEqual(['/usr/lib/my lib [1].so', '/memfd:doublemapper', '/opt/libjvm.so']);
  });

  it('never throws', () => {
    fc.assert(fc.property(fc.string(), (text) => void parseMappedFiles(text)));
  });
});

describe('the table of sockets', () => {
  const heading = '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n';
  const row = (local: string, state: string, inode: string) =>
    `   0: ${local} 00000000:0000 ${state} 00000000:00000000 00:00000000 00000000     0        0 ${inode} 1 0000000000000000 100 0 0 10 0\n`;

  it('gives what listens', () => {
    const table = `${heading}${row('0100007F:1F90', '0A', '555')}${row('0100007F:1F91', '01', '556')}${row('0100007F:1F92', '0A', '5').slice(0, -40)}`;
    expect(parseListeningSockets(table)).toHaveLength(1);
    expect(parseListeningSockets(table)[0]).toMatchObject({ port: 8080, inode: '555' });
  });

  it.each([
    ['0100007F', '127.0.0.1'],
    ['00000000', '0.0.0.0'],
    ['0F02000A', '10.0.2.15'],
    ['00000000000000000000000000000000', '::'],
    ['00000000000000000000000001000000', '::1'],
    ['0000000000000000FFFF00000100007F', '::ffff:127.0.0.1'],
    ['B80D0120000000000000000001000000', '2001:db8::1'],
  ])('decodes %s', (hex, address) => {
    expect(decodeAddress(hex, 'LE')).toBe(address);
  });

  it('decodes the other byte order', () => {
    expect(decodeAddress('7F000001', 'BE')).toBe('127.0.0.1');
    expect(decodeAddress('20010DB8000000000000000000000001', 'BE')).toBe('2001:db8::1');
  });

  it('survives any line', () => {
    const wild = fc.string({ unit: fc.constantFrom(...'0123456789ABCDEF:g ') });
    const digits = (minLength: number, maxLength = minLength) =>
      fc.string({ unit: fc.constantFrom(...'0123456789ABCDEF'), minLength, maxLength });
    const likely = fc.tuple(fc.oneof(digits(8), digits(32)), digits(3, 6)).map((parts) => parts.join(':'));
    const inodes = fc.oneof(wild, fc.nat().map(String));
    fc.assert(
      fc.property(fc.oneof(wild, likely), fc.constantFrom('0A', '01', ''), inodes, (local, state, inode) => {
        for (const socket of parseListeningSockets(heading + row(local, state, inode))) {
          expect(socket.port).toBeLessThan(65_536);
        }
      }),
    );
    fc.assert(fc.property(fc.string(), (text) => void parseListeningSockets(`${text} 0A ${text}\n`)));
  });
});

describe('the table of unix sockets', () => {
  const HEADING = 'Num       RefCount Protocol Flags    Type St Inode Path\n';

  it('gives those that listen and have a path', () => {
    const table = `${HEADING}0000000000000000: 00000002 00000000 00010000 0001 01 23456 /tmp/.java_pid7.tmp
ffff8881: 00000003 00000000 00000000 0001 03 23457 /tmp/connected
0000000000000000: 00000003 00000000 00000000 0001 03     0 /tmp/.java_pid7.tmp
0000000000000000: 00000002 00000000 00010000 0001 01    99 /tmp/a name
0000000000000000: 00000002 00000000 00010000 0001 01 23459 @abstract
0000000000000000: 00000002 00000000 00010000 0001 01 23458
0000000000000000: 00000002 00000000 00010000 0001 01 23460 /cut`;
    expect(parseUnixListeners(table)).toEqual([
      { path: '/tmp/.java_pid7.tmp', inode: '23456' },
      { path: '/tmp/a name', inode: '99' },
    ]);
  });

  it('takes any text', () => {
    fc.assert(fc.property(fc.string(), (text) => void parseUnixListeners(`${text}\n`)));
  });

  const record = (inode: number, path: string, flags = '00010000') =>
    `0000000000000000: 00000002 00000000 ${flags} 0001 01 ${String(inode).padStart(5)} ${path}`;

  it('has no path that goes on in the next line', () => {
    expect(parseUnixListeners(`${HEADING}${record(7, '/tmp/.java_pid7\nmore')}\n${record(8, '/a\r')}\n`)).toEqual([
      { path: '/a\r', inode: '8' },
    ]);
  });

  it('says nothing false of a socket, whatever others call theirs', () => {
    const victims = fc.uniqueArray(fc.integer({ min: 1, max: 9 }), { minLength: 1 });
    const flags = fc.constantFrom('00010000', '00000000');
    // The path of a socket may contain anything, even records.
    const forged = fc
      .tuple(fc.integer({ min: 0, max: 12 }), flags)
      .map(([inode, set]) => record(inode, '/forged', set));
    const part = fc.oneof(forged, fc.string(), fc.constantFrom('', '/tmp/x', '@'));
    const hostile = fc.array(part, { maxLength: 5 }).map((parts) => parts.join('\n'));
    fc.assert(
      fc.property(victims, flags, fc.array(hostile), fc.nat(), (inodes, set, paths, seed) => {
        const lines = [
          ...inodes.map((inode) => record(inode, `/victim/${inode}`, set)),
          ...paths.map((path, at) => record(100 + at, path)),
        ];
        const table = lines.map((line, at) => ({ line, rank: (at * 7919 + seed) % 1009 }));
        const text = table.sort((a, b) => a.rank - b.rank).map(({ line }) => `${line}\n`);
        for (const { path, inode } of parseUnixListeners(HEADING + text.join('')))
          if (inodes.includes(Number(inode))) expect(path).toBe(`/victim/${inode}`);
      }),
    );
  });

  it('has no say about sockets of another kind', () => {
    const netlink = `sk               Eth Pid        Groups   Rmem     Wmem     Dump  Locks    Drops    Inode
00000000dee68a49 4   0          00000000 0        0        0     2        0        1505    \n`;
    expect(inodesOf(netlink)).toContain('1505');
    const tcp =
      '   0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 4711 1 0 100\n';
    expect(inodesOf(tcp)).toContain('4711');
  });
});
