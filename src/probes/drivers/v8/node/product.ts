/** Finds the packages that form one product with the installed package of a process, from their own manifests. */
import path from 'node:path';
import * as z from 'zod';
import { readSmallText } from '../../../support/plain-file.ts';

const MAX_PACKAGE_BYTES = 256 * 1024;
const MAX_DEPENDENCIES = 200;
/** `…/node_modules/@scope/name/`, the innermost one. */
const PACKAGE = /^(.*\/node_modules)\/((?:@[^/]+\/)?[^/]+)\//;
/** `github:maker/name`, `maker/name`, or an address of any kind; npm's default is GitHub. */
const SHORT = /^(?:(github|gitlab|bitbucket):)?([\w.-]+)\/[\w.-]+$/;
const ADDRESS = /(?:\/\/(?:[^@/]*@)?|git@)([\w.-]+)[:/]([\w.-]+)\/[\w.-]/;

const repository = z.union([z.string(), z.object({ url: z.string() }).transform(({ url }) => url)]);
const description = z.object({
  repository: repository.optional().catch(undefined),
  dependencies: z.record(z.string(), z.unknown()).optional().catch(undefined),
});

/** Organisations are named like their product, with one of these suffixes: `lwsjs` makes `lws`. */
const BEHIND = /[-_.]?(?:js|node|org|hq|io|app|dev|labs?|team|project|community)$/;

/** `aedes-cli` is the command of `aedes`. */
const COMMAND = /^(?:@[^/]+\/)?(.+?)(?:-(?:cli|cmd|bin|server|daemon|app))?$/;

/**
 * Dependencies that the same people keep in their repositories and name like themselves or like the program, and the
 * dependencies of these: a program is often only the command of a library that does the work. Other packages of the same
 * people are ordinary libraries. `main`: the running file, as the process sees it. Empty if it is no installed package.
 */
export function productOf(main: string, resolve: (path: string) => string): string[] {
  const [, modules, name] = PACKAGE.exec(main) ?? [];
  if (modules === undefined || name === undefined) return [];
  const own = path.join(modules, name);
  const maker = makerOf(describe(own, resolve).repository);
  if (maker === null) return [];
  const products = [maker.slice(maker.indexOf('/') + 1).replace(BEHIND, ''), COMMAND.exec(name)?.[1] ?? name];
  const isCalledSo = (each: string) =>
    products.some((product) => each === product || each.startsWith(`${product}-`) || each.startsWith(`@${product}/`));
  const found = new Set<string>();
  const folders = [own];
  // Grows while it is gone through.
  for (const folder of folders) {
    for (const each of Object.keys(describe(folder, resolve).dependencies ?? {}).filter(isCalledSo)) {
      if (found.has(each) || each === name || found.size >= MAX_DEPENDENCIES) continue;
      const places = [path.join(folder, 'node_modules', each), path.join(modules, each)];
      const place = places.find((one) => makerOf(describe(one, resolve).repository) === maker);
      if (place === undefined) continue;
      found.add(each);
      folders.push(place);
    }
  }
  return [...found];
}

function describe(folder: string, resolve: (path: string) => string): z.infer<typeof description> {
  const content = readSmallText(resolve(path.join(folder, 'package.json')), MAX_PACKAGE_BYTES);
  try {
    return description.safeParse(content === null ? null : JSON.parse(content)).data ?? {};
  } catch {
    // Invalid JSON says nothing about its makers.
    return {};
  }
}

/** `github.com/lwsjs`, or null if unknown. */
function makerOf(address = ''): string | null {
  const [, host = 'github', owner] = SHORT.exec(address) ?? [];
  if (owner !== undefined) return `${host}/${owner}`.toLowerCase();
  const [, domain = '', maker] = ADDRESS.exec(address) ?? [];
  return maker === undefined ? null : `${domain.replace(/\.(?:com|org)$/, '')}/${maker}`.toLowerCase();
}
