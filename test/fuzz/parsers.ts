/** Every parser of foreign bytes, with samples of its input. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parse as parseToml } from 'smol-toml';
import { configSchema } from '../../src/config-schema.ts';
import { Parts } from '../../src/fleet/asker.ts';
import { decodeFrame, decodeRequest } from '../../src/fleet/envelope.ts';
import * as darwin from '../../src/host/darwin-output.ts';
import { elfHasDynamicName } from '../../src/host/linux/elf-symbols.ts';
import { parseMappedFiles } from '../../src/host/linux/mapped-files.ts';
import { splitArgv } from '../../src/host/linux/split-argv.ts';
import { parseStatus } from '../../src/host/linux/status-file.ts';
import { parseCallingSockets, parseListeningSockets } from '../../src/host/linux/tcp-table.ts';
import { parseThreadCall, parseWaitChannel } from '../../src/host/linux/thread-call.ts';
import { inodesOf, parseUnixListeners } from '../../src/host/linux/unix-table.ts';
import * as windows from '../../src/host/windows-output.ts';
import { appSchema, emptySchema } from '../../src/model/app-schema.ts';
import { auditEntry } from '../../src/model/audit-entry.ts';
import { parsePath } from '../../src/model/path.ts';
import { parseStatLine } from '../../src/model/proc-stat.ts';
import { schemaDocument } from '../../src/model/schema-document.ts';
import { actionRequest, keysQuery, learnRequest, verifyRequest } from '../../src/model/wire.ts';
import { ChannelFile, newChannelFile } from '../../src/probes/drivers/clr/channel/channel-file.ts';
import * as diagnostics from '../../src/probes/drivers/clr/coreclr/diagnostics-ipc.ts';
import { readBundle } from '../../src/probes/drivers/clr/identity/bundle.ts';
import { parseSettings } from '../../src/probes/drivers/clr/identity/clr-facts.ts';
import { parsePeNames } from '../../src/probes/drivers/clr/identity/pe-names.ts';
import { parseMonoBuild } from '../../src/probes/drivers/clr/mono/mono-build.ts';
import { parseAnswer } from '../../src/probes/drivers/jvm/attach-protocol.ts';
import { parsePerfData } from '../../src/probes/drivers/jvm/hsperfdata.ts';
import { parseManifest, readFromArchive } from '../../src/probes/drivers/jvm/jar-reader.ts';
import { parseJavaCommand, splitArgumentFile } from '../../src/probes/drivers/jvm/java-command.ts';
import { readReport } from '../../src/probes/drivers/v8/browser/report.ts';
import { readAsarFile } from '../../src/probes/drivers/v8/electron/asar.ts';
import { HeapSnapshotReader } from '../../src/probes/drivers/v8/heap/heap-snapshot.ts';
import { parsePackage } from '../../src/probes/drivers/v8/node/node-identity.ts';
import { codeFacts } from '../../src/probes/insight/effects/code-facts.ts';
import { methodsAnswer } from '../../src/probes/insight/methods/method-facts.ts';
import { isNoExec } from '../../src/probes/support/agent-files/mounts.ts';
import { encodeFrame, FrameDecoder } from '../../src/probes/support/framed/frame.ts';
import { captureResult } from '../../src/probes/support/injected/agent-protocol.ts';
import { checkLeaves } from '../../src/probes/support/leaf-check.ts';
import { compilePredicate } from '../../src/semantic/predicate/predicate.ts';
import { parseKeys } from '../../src/store/keys-document.ts';
import { viewOf } from '../unit/semantic/predicate/view-of.ts';

export interface Parser {
  readonly name: string;
  readonly samples: readonly (Buffer | string)[];
  readonly parse: (bytes: Buffer) => unknown;
  /** Its caller treats any error as "not this format". */
  readonly isGuarded?: true;
}

const text =
  (parse: (text: string) => unknown): Parser['parse'] =>
  (bytes) =>
    parse(bytes.toString('utf8'));
const json = (parse: (value: unknown) => unknown): Parser['parse'] => text((given) => parse(JSON.parse(given)));
const readAt = (bytes: Buffer) => (target: Buffer, position: number) =>
  position > bytes.length ? 0 : bytes.copy(target, 0, position, position + target.length);

/** The beginning of a file, if it exists. */
function head(file: string, bytes = 4096): Buffer[] {
  try {
    const handle = fs.openSync(file, 'r');
    try {
      const content = Buffer.alloc(bytes);
      return [content.subarray(0, fs.readSync(handle, content, 0, bytes, 0))];
    } finally {
      fs.closeSync(handle);
    }
  } catch {
    return [];
  }
}

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'substrate-fuzz-'));
process.once('exit', () => fs.rmSync(folder, { recursive: true, force: true }));
/** For parsers that open a file themselves. */
function asFile(bytes: Buffer): string {
  const file = path.join(folder, 'input');
  fs.writeFileSync(file, bytes);
  return file;
}

const LEAVES = { kind: 'delta', changed: [[0, 1]], added: [[1, 'a.b', 'x']], removed: [2] };
const CHANNEL = newChannelFile(1000).subarray(0, 65_536 + 64);
const ELF = head(process.execPath, 16_384);
const DIST = path.resolve(import.meta.dirname, '../../dist');
const SNAPSHOT =
  '{"snapshot":{"meta":{"node_fields":["type","name","id"],"node_types":[["object"],"string","number"],' +
  '"edge_fields":["type","name_or_index","to_node"],"edge_types":[["context"],"string_or_number","node"]},' +
  '"node_count":1,"edge_count":1},"nodes":[0,0,1],"edges":[0,0,0],"strings":["a\\u00e9\\"b"]}';

export const PARSERS: readonly Parser[] = [
  {
    name: 'requests of other hosts',
    samples: [
      Buffer.from(
        '{"v":1,"method":"POST","target":"/substrate/v1/action","headers":{"x-substrate-key":"k"},"limit_ms":1000,"body":true}\n{"pid":1}',
      ),
    ],
    parse: (bytes) => decodeRequest(bytes),
  },
  {
    name: 'answers of other hosts',
    samples: [
      Buffer.from('{"t":"head","status":200,"headers":{"ETag":"x"},"bytes":4}\nab'),
      Buffer.from('{"t":"part","n":1}\ncd'),
      Buffer.from('{"t":"end","why":"lost"}\n'),
    ],
    parse: (bytes) => {
      const frame = decodeFrame(bytes);
      return frame && new Parts().add(frame);
    },
  },
  {
    name: 'agent frames',
    samples: [encodeFrame('{"id":1}'), encodeFrame('[]')],
    parse: (bytes) => new FrameDecoder().push(bytes),
  },
  {
    name: 'leaves of an agent',
    samples: [JSON.stringify(LEAVES), '{"kind":"full","paths":["a"],"values":[1]}'],
    parse: json((value) => checkLeaves(value, 1000)),
  },
  {
    name: 'captures of an injected agent',
    samples: ['{"leaves":{"kind":"same"},"roots":null,"screen":null}'],
    parse: json((value) => captureResult.safeParse(value)),
  },
  {
    name: 'facts of methods',
    samples: ['{"places":{"changed":[],"order":[1]},"methods":[{"type":1,"methods":[]}]}'],
    parse: json((value) => methodsAnswer.safeParse(value)),
  },
  {
    name: 'facts of code',
    samples: ['{"bodies":[],"members":[],"contracts":[]}'],
    parse: json((value) => codeFacts.safeParse(value)),
  },
  {
    name: 'reports of a page',
    samples: [JSON.stringify({ leaves: LEAVES, actions: [], roots: null }), '{"more":true}'],
    parse: text((given) => readReport(given, 1000)),
  },
  {
    name: 'heap snapshots',
    samples: [SNAPSHOT],
    parse: text((given) => {
      const reader = new HeapSnapshotReader();
      reader.push(given);
      return reader.finish();
    }),
  },
  { name: 'answers of HotSpot', samples: ['0\nreturn code: 0\n', '100\nno'], parse: parseAnswer },
  {
    name: 'hsperfdata',
    samples: [
      Buffer.from(
        'cafec0c00100020001000000200000000000000000000000200000000000000024000000140000000000420501000000610000',
        'hex',
      ),
    ],
    parse: parsePerfData,
  },
  {
    name: 'jar files',
    samples: head(path.join(DIST, 'jvm/boot.jar'), 65_536),
    parse: (bytes) => readFromArchive(readAt(bytes), bytes.length, 'META-INF/MANIFEST.MF'),
    isGuarded: true,
  },
  {
    name: 'manifests',
    samples: ['Manifest-Version: 1.0\r\nMain-Class: a.b\r\n c\r\n\r\n'],
    parse: text(parseManifest),
  },
  {
    name: 'argument files of Java',
    samples: ['-cp "a b" \\\n# x\nMain'],
    parse: text((given) => [splitArgumentFile(given), parseJavaCommand(given.split(' '), () => given)]),
  },
  {
    name: 'answers of the diagnostics port',
    samples: [diagnostics.encodeMessage([0xff, 0], Buffer.alloc(4))],
    parse: diagnostics.parseAnswer,
  },
  {
    name: 'process info of .NET',
    samples: [Buffer.concat([Buffer.alloc(24), diagnostics.encodeText('dotnet'), diagnostics.encodeText('Linux')])],
    parse: (bytes) => [1, 2, 3].map((version) => attempt(() => diagnostics.parseProcessInfo(bytes, version as 1))),
  },
  {
    name: 'the mapped channel',
    samples: [CHANNEL],
    parse: (bytes) => {
      const channel = ChannelFile.open(asFile(bytes), process.getuid?.() ?? 0);
      try {
        return (
          channel && [channel.called, channel.served, attempt(() => channel.canSend), attempt(() => channel.take())]
        );
      } finally {
        channel?.close();
      }
    },
  },
  {
    name: 'PE files',
    samples: head(path.join(DIST, 'clr/agent.dll'), 8192),
    parse: (bytes) => parsePeNames(readAt(bytes)),
    isGuarded: true,
  },
  { name: 'bundles of .NET', samples: ELF, parse: (bytes) => readBundle(readAt(bytes), bytes.length), isGuarded: true },
  { name: 'builds of Mono', samples: ELF, parse: parseMonoBuild },
  {
    name: 'settings of .NET',
    samples: ['{"runtimeOptions":{"framework":{"name":"x","version":"8.0.0"}}}'],
    parse: text(parseSettings),
  },
  {
    name: 'ELF symbols',
    samples: ELF,
    parse: (bytes) => elfHasDynamicName(readAt(bytes), 'uv_version'),
    isGuarded: true,
  },
  {
    name: 'asar archives',
    samples: [
      Buffer.concat([
        Buffer.from('04000000180000001400000010000000', 'hex'),
        Buffer.from('{"files":{"a":{"size":1,"offset":"0"}}}'),
      ]),
    ],
    parse: (bytes) => readAsarFile(asFile(bytes), 'a'),
  },
  { name: 'package.json', samples: ['{"name":"a","bin":{"a":"x.js"},"main":"x"}'], parse: text(parsePackage) },
  { name: 'proc stat', samples: head('/proc/self/stat'), parse: parseStatLine },
  { name: 'proc status', samples: head('/proc/self/status'), parse: text(parseStatus) },
  { name: 'proc maps', samples: head('/proc/self/maps'), parse: text(parseMappedFiles) },
  {
    name: 'proc cmdline',
    samples: head('/proc/self/cmdline'),
    parse: (bytes) => splitArgv(bytes, bytes.length % 2 === 0),
  },
  {
    name: 'proc net/tcp',
    samples: head('/proc/self/net/tcp'),
    parse: text((table) => [parseListeningSockets(table), parseCallingSockets(table), inodesOf(table)]),
  },
  { name: 'proc net/unix', samples: head('/proc/self/net/unix'), parse: text(parseUnixListeners) },
  { name: 'proc mountinfo', samples: head('/proc/self/mountinfo'), parse: text((given) => isNoExec(given, '/tmp/a')) },
  {
    name: 'proc syscall',
    samples: ['22 0x3 0x0 0x1 0x0 0x0 0x0 0x7ff 0x7f\n', 'ep_poll'],
    parse: text((given) => [parseThreadCall(given, 'x64'), parseWaitChannel(given)]),
  },
  {
    name: 'ps and lsof',
    samples: ['  1  0  0 Mon Jan  2 03:04:05 2026 /sbin/launchd\n', 'p1\nf3\ntIPv4\nn127.0.0.1:80\n'],
    parse: text((given) => [
      darwin.parseProcesses(given, given),
      darwin.parseListeners(given),
      darwin.parseModules(given),
      darwin.parseStartTime(given),
    ]),
  },
  {
    name: 'PowerShell and netstat',
    samples: [
      '[{"ProcessId":1,"ParentProcessId":0,"Name":"a","Started":"1"}]',
      '  TCP 127.0.0.1:80 0.0.0.0:0 LISTENING 4\r\n',
    ],
    parse: text((given) => [
      attempt(() => windows.parseProcesses(given)),
      attempt(() => windows.parseModules(given)),
      windows.parseListeners(given),
    ]),
  },
  {
    name: 'the configuration',
    samples: ['[server]\nport = 1\n[scanner]\nexclude = ["a", 1]\n'],
    parse: text((given) => configSchema.safeParse(parseToml(given))),
  },
  {
    name: 'the keys file',
    samples: ['{"keys":[{"id":"a","key_hash":"blake3:00","enabled":true,"scopes":["read"]}]}'],
    parse: json(parseKeys),
  },
  {
    name: 'stored schemas',
    samples: [JSON.stringify(emptySchema('a-0', 'a'))],
    parse: json((value) => appSchema.safeParse(value)),
  },
  {
    name: 'shared schemas',
    samples: ['{"format":"substrate-schema/1","app_id":"a-0","app_name":"a","labels":[],"actions":[]}'],
    parse: json((value) => schemaDocument.safeParse(value)),
  },
  {
    name: 'the log of actions',
    samples: [
      '{"time":"2026-01-02T03:04:05Z","key_id":"a","pid":1,"app_id":null,"action":"a","parameters":[],"outcome":"ran","code":null,"confirmed_by":null}',
    ],
    parse: json((value) => auditEntry.safeParse(value)),
  },
  {
    name: 'bodies of requests',
    samples: [
      '{"pid":1,"action":"a","parameters":{}}',
      '{"pid":1,"expression":"a"}',
      '{"capture_id":"a","schema_version":"1","corrections":[]}',
    ],
    parse: json((value) => [
      actionRequest.safeParse(value),
      verifyRequest.safeParse(value),
      learnRequest.safeParse(value),
    ]),
  },
  {
    name: 'globs of keys',
    samples: ['inbox.**,cart.total,a["b,c"]'],
    parse: text((given) => keysQuery.safeParse(given)),
  },
  { name: 'paths', samples: ['a.b["c d"][3].e'], parse: text(parsePath) },
  {
    name: 'predicates',
    samples: ['cart.items.filter((i) => i.price > 2).length === 1', '`x` + b?.c ?? !d'],
    parse: text((given) => compilePredicate(given).evaluate(viewOf({ 'cart.items[0].price': 1, a: 'x' }))),
  },
];

function attempt(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    // Rethrown if it is a fault, not a refusal.
    if (isFault(error)) throw error;
    return null;
  }
}

/** Errors that no parser should throw: they are mistakes in the parser. */
export function isFault(error: unknown): boolean {
  return (
    !(error instanceof Error) ||
    error instanceof TypeError ||
    error instanceof RangeError ||
    error instanceof ReferenceError
  );
}
