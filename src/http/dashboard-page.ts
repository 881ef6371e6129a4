/** The dashboard: one file without data, made by the build, and the policy that lets a browser run only that file. */
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { SubstrateError } from '../model/errors.ts';
import { type Reply, textReply } from './reply.ts';

const HERE = path.dirname(fileURLToPath(import.meta.url));
const NAME = 'dashboard.html';
/** Beside the bundle, or, when run from sources, in the folder where it would be. */
const PLACES = [path.join(HERE, NAME), path.resolve(HERE, '../../dist', NAME)];

const INLINE = /<(script|style)\b[^>]*>([\s\S]*?)<\/\1>/g;

export class DashboardPage {
  private readonly places: readonly string[];
  private page: Reply | null = null;

  constructor(places: readonly string[] = PLACES) {
    this.places = places;
  }

  /** Throws `not_found` if it was not built. */
  reply(): Reply {
    this.page ??= this.read();
    return this.page;
  }

  private read(): Reply {
    for (const file of this.places) {
      const html = readIfThere(file);
      if (html !== null) return pageReply(html);
    }
    const message = 'This build has no dashboard: dist/dashboard.html is missing. `npm run build` makes it.';
    throw new SubstrateError('not_found', message);
  }
}

function readIfThere(file: string): string | null {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch {
    // The route answers that the page is missing, and how to build it.
    return null;
  }
}

function pageReply(html: string): Reply {
  const reply = textReply(html, 'text/html; charset=utf-8');
  const headers = {
    ...reply.headers,
    'Content-Security-Policy': policyFor(html),
    // A page that opens this one in a window gets no reference to it.
    'Cross-Origin-Opener-Policy': 'same-origin',
  };
  return { ...reply, headers };
}

/** Inline code is allowed by its hash, so that no text of an app can ever run. */
function policyFor(html: string): string {
  const hashes: Record<string, string[]> = { script: [], style: [] };
  for (const [, element = '', text = ''] of html.matchAll(INLINE)) {
    hashes[element]?.push(`'sha256-${createHash('sha256').update(text).digest('base64')}'`);
  }
  const sources = (element: string) => hashes[element]?.join(' ') || "'none'";
  return [
    "default-src 'none'",
    `script-src ${sources('script')}`,
    `style-src ${sources('style')}`,
    "connect-src 'self'",
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
