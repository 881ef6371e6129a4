import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  classPathEntries,
  parseJavaCommand,
  parsePerfCommand,
  property,
  splitArgumentFile,
} from '../../../../src/probes/drivers/jvm/java-command.ts';

const FILES: Record<string, string> = {
  'args.txt': '-cp "lib/a b.jar:lib/c.jar" # the class path\n-Dx=1 com.example.Main \'two words\'',
  'options.txt': '-Xmx1g\n',
};
const parse = (line: string) => parseJavaCommand(`java ${line}`.split(' '), (file) => FILES[file] ?? null);

describe('the command line of java', () => {
  it.each<[string, string, string, string[]]>([
    ['-cp a.jar com.example.Main x y', 'class', 'com.example.Main', ['x', 'y']],
    ['-Xmx1g -jar app.jar --port 1', 'jar', 'app.jar', ['--port', '1']],
    ['-p mods -m com.example/com.example.Main a', 'module', 'com.example/com.example.Main', ['a']],
    ['--module=com.example a', 'module', 'com.example', ['a']],
    ['--add-opens java.base/java.lang=ALL-UNNAMED Main', 'class', 'Main', []],
    ['--add-opens=java.base/java.lang=ALL-UNNAMED Main', 'class', 'Main', []],
    ['Hello.java a', 'source', 'Hello.java', ['a']],
    ['/home/ada/examples/TeaHouse.java', 'source', '/home/ada/examples/TeaHouse.java', []],
    ['-cp lib/* --enable-preview --source 21 src/Client.java a.java', 'source', 'src/Client.java', ['a.java']],
    ['-Xmx1g -ea -Dx=1 ./Client.java --port 1', 'source', './Client.java', ['--port', '1']],
    ['--source 17 /usr/local/bin/nightly x', 'source', '/usr/local/bin/nightly', ['x']],
    ['--source=17 nightly', 'source', 'nightly', []],
    ['@options.txt Client.java', 'source', 'Client.java', []],
    ['-cp a.jar com.example.Main Other.java', 'class', 'com.example.Main', ['Other.java']],
    ['com/example/Main', 'class', 'com.example.Main', []],
    ['@options.txt Main @args.txt', 'class', 'Main', ['@args.txt']],
    ['@args.txt three', 'class', 'com.example.Main', ['two words', 'three']],
  ])('%s', (line, kind, name, args) => {
    expect(parse(line)).toMatchObject({ program: { kind, name }, args });
  });

  it('says nothing where there is nothing', () => {
    for (const line of ['-version', '-Xmx1g', '@missing.txt', '-jar', '-cp a.jar'])
      expect(parse(line).program).toBeNull();
    expect(parseJavaCommand([], () => null).program).toBeNull();
  });

  it('knows the options and the class path', () => {
    const { options, classPath } = parse('@args.txt');
    expect(property(options, 'x')).toBe('1');
    expect(property(options, 'y')).toBeNull();
    expect(property(['-Dx=1', '-Dx=2=3'], 'x')).toBe('2=3');
    expect(classPathEntries(classPath, '/srv')).toEqual(['/srv/lib/a b.jar', '/srv/lib/c.jar']);
    expect(classPathEntries('/opt/libs/*:.', '/srv')).toEqual(['/opt/libs', '/srv']);
  });

  it('splits argument files as java does', () => {
    expect(splitArgumentFile('a "b c" \'d\'#e\n"f\\\\g" "h\\\n   i"')).toEqual(['a', 'b c', 'd', 'f\\g', 'hi']);
    expect(splitArgumentFile('')).toEqual([]);
  });

  it('reads what HotSpot tells', () => {
    expect(parsePerfCommand('com.example.Main a b')).toEqual({
      program: { kind: 'class', name: 'com.example.Main' },
      args: ['a', 'b'],
    });
    expect(parsePerfCommand('/opt/app.jar')).toEqual({ program: { kind: 'jar', name: '/opt/app.jar' }, args: [] });
    expect(parsePerfCommand('mod/a.B').program?.kind).toBe('module');
    expect(parsePerfCommand('').program).toBeNull();
  });

  it('takes any arguments', () => {
    fc.assert(
      fc.property(fc.array(fc.string()), fc.string(), (argv, text) => {
        parseJavaCommand(argv, () => text);
        splitArgumentFile(text);
      }),
    );
  });
});
