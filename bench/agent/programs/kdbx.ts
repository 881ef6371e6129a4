/** Databases of KeePass (KDBX 3.1), as far as needed for filling and checking them. */
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { gunzipSync } from 'node:zlib';

export interface VaultEntry {
  readonly title: string;
  readonly userName: string;
  readonly password: string;
  readonly url: string;
  readonly notes: string;
}

export interface Vault {
  readonly name: string;
  readonly description: string;
  /** Outside of all groups. */
  readonly entries: readonly VaultEntry[];
  readonly groups: Readonly<Record<string, readonly VaultEntry[]>>;
}

const SIGNATURE = Buffer.from('03d9a29a67fb4bb501000300', 'hex');
const AES = Buffer.from('31c1f2e6bf714350be5805216afc5aff', 'hex');
const ROUNDS = 10;
const FIELD = { cipher: 2, compression: 3, seed: 4, keySeed: 5, rounds: 6, iv: 7, streamKey: 8, start: 9, stream: 10 };

const sha256 = (...parts: readonly Buffer[]) => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
};

function masterKey(password: string, seed: Buffer, keySeed: Buffer, rounds: number): Buffer {
  const cipher = createCipheriv('aes-256-ecb', keySeed, null).setAutoPadding(false);
  let key = sha256(sha256(Buffer.from(password)));
  for (let round = 0; round < rounds; round++) key = cipher.update(key);
  return sha256(seed, sha256(key));
}

export function writeVault(vault: Vault, password: string): Buffer {
  const [seed, keySeed, streamKey, start] = [randomBytes(32), randomBytes(32), randomBytes(32), randomBytes(32)];
  const iv = randomBytes(16);
  const field = (id: number, value: Buffer) => Buffer.concat([Buffer.of(id), u16(value.length), value]);
  const header = Buffer.concat([
    SIGNATURE,
    field(FIELD.cipher, AES),
    field(FIELD.compression, u32(0)),
    field(FIELD.seed, seed),
    field(FIELD.keySeed, keySeed),
    field(FIELD.rounds, Buffer.concat([u32(ROUNDS), u32(0)])),
    field(FIELD.iv, iv),
    field(FIELD.streamKey, streamKey),
    field(FIELD.start, start),
    field(FIELD.stream, u32(2)),
    field(0, Buffer.from('\r\n\r\n')),
  ]);
  const xml = Buffer.from(xmlOf(vault));
  const blocks = [u32(0), sha256(xml), u32(xml.length), xml, u32(1), Buffer.alloc(32), u32(0)];
  const cipher = createCipheriv('aes-256-cbc', masterKey(password, seed, keySeed, ROUNDS), iv);
  return Buffer.concat([header, cipher.update(Buffer.concat([start, ...blocks])), cipher.final()]);
}

/** The inner document. Its passwords are masked. */
export function readVault(file: Buffer, password: string): string {
  const fields = new Map<number, Buffer>();
  let at = SIGNATURE.length;
  for (let id = -1; id !== 0; ) {
    id = file.readUInt8(at);
    const length = file.readUInt16LE(at + 1);
    fields.set(id, file.subarray(at + 3, at + 3 + length));
    at += 3 + length;
  }
  const get = (id: number) => fields.get(id) ?? Buffer.alloc(0);
  const rounds = Number(get(FIELD.rounds).readBigUInt64LE());
  const key = masterKey(password, get(FIELD.seed), get(FIELD.keySeed), rounds);
  const cipher = createDecipheriv('aes-256-cbc', key, get(FIELD.iv));
  const body = Buffer.concat([cipher.update(file.subarray(at)), cipher.final()]);
  const blocks: Buffer[] = [];
  for (let place = 32; place + 40 <= body.length; ) {
    const length = body.readUInt32LE(place + 36);
    blocks.push(body.subarray(place + 40, place + 40 + length));
    place += 40 + length;
  }
  const content = Buffer.concat(blocks);
  return (get(FIELD.compression).readUInt32LE() === 1 ? gunzipSync(content) : content).toString();
}

function xmlOf({ name, description, entries, groups }: Vault): string {
  const id = () => `<UUID>${randomBytes(16).toString('base64')}</UUID>`;
  const text = (key: string, value: string) => `<String><Key>${key}</Key><Value>${value}</Value></String>`;
  const entry = ({ title, userName, password, url, notes }: VaultEntry) =>
    `<Entry>${id()}${text('Title', title)}${text('UserName', userName)}${text('Password', password)}${text('URL', url)}${text('Notes', notes)}</Entry>`;
  const group = ([called, entries]: readonly [string, readonly VaultEntry[]]) =>
    `<Group>${id()}<Name>${called}</Name>${entries.map(entry).join('')}</Group>`;
  return (
    `<?xml version="1.0" encoding="utf-8"?><KeePassFile><Meta><Generator>KeePass</Generator>` +
    `<DatabaseName>${name}</DatabaseName><DatabaseDescription>${description}</DatabaseDescription></Meta>` +
    `<Root><Group>${id()}<Name>${name}</Name>${entries.map(entry).join('')}${Object.entries(groups).map(group).join('')}</Group></Root></KeePassFile>`
  );
}

function u16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(value);
  return bytes;
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
