/** Finds secrets in a text in other forms than after `:` or `=`. Every repetition is limited. */
import { REDACTED } from '../../model/secrets.ts';
import { hidesText } from './hides.ts';
import { isNamed, judgeName, type Verdict } from './judge-name.ts';
import { looksRandom } from './value-looks.ts';

interface Pattern {
  /** Each match contains one of these, which are faster to search. */
  readonly marks: readonly string[];
  /** The text before the secret, and the secret. `name` is judged if present. */
  readonly pattern: RegExp;
  readonly isSecret?: (value: string, verdict: Verdict) => boolean;
}

interface Groups {
  readonly before: string;
  readonly name?: string;
  readonly secret: string;
}

const isSure = ({ kind }: Verdict) => kind === 'password' || kind === 'secret';

/** Arguments of programs, without a name. */
const COMMANDS: readonly Pattern[] = [
  {
    marks: ['mysql', 'mariadb'],
    pattern: /(?<before>\b(?:mysql|mariadb)\w{0,12}\b[^\n|;&]{0,200}?\s-p["']?)(?<secret>[^\s"']{1,200})/g,
  },
  { marks: ['sshpass'], pattern: /(?<before>\bsshpass\s{1,3}-p\s{0,3}["']?)(?<secret>[^\s"']{1,200})/g },
  {
    marks: ['curl', 'wget', 'http '],
    pattern:
      /(?<before>\b(?:curl|wget|http)\b[^\n|;]{0,400}?\s(?:-u|--user|--proxy-user|-a)[\s=]{0,3}["']?[^\s:"']{1,100}:)(?<secret>[^\s"']{1,200})/g,
  },
  {
    marks: [' login'],
    pattern: /(?<before>\slogin\b[^\n|;]{0,200}?\s-p\s{1,3}["']?)(?<secret>[^\s"']{1,200})/g,
  },
  {
    marks: ['redis-cli'],
    pattern: /(?<before>\bredis-cli\b[^\n|;]{0,200}?\s-a\s{1,3}["']?)(?<secret>[^\s"']{1,200})/g,
  },
];

/** Forms with a name. */
const NAMED: readonly Pattern[] = [
  // machine … login … password …
  {
    marks: ['login '],
    pattern: /(?<before>\blogin\s{1,3}\S{1,100}\s{1,20}password\s{1,3})(?<secret>\S{1,200})/g,
  },
  // CREATE USER … IDENTIFIED BY '…'
  {
    marks: ['IDENTIFIED', 'identified'],
    pattern:
      /(?<before>\bIDENTIFIED\s{1,3}(?:WITH\s{1,3}\S{1,40}\s{1,3})?(?:BY|AS)\s{1,3}(?:PASSWORD\s{1,3})?["'])(?<secret>[^"'\n]{1,500})/gi,
  },
  // --password …, -Password …
  {
    marks: ['-'],
    pattern:
      /(?<before>(?<![\w-])--?(?<name>[a-z][\w.-]{1,60})[ \t]{1,3}(?![-<[])["']?)(?<secret>(?<=")[^"\n]{1,2000}|(?<=')[^'\n]{1,2000}|[^\s"']{1,2000})/gi,
    isSecret: (value, verdict) => verdict.kind !== 'hint' && hidesText(value, verdict),
  },
  // with password "…"
  {
    marks: [' "', " '", ' `'],
    pattern:
      /(?<before>(?<![\p{L}\p{M}\d_-])(?<name>[\p{L}\p{M}_-]{2,40})\s{1,3}["'`])(?<secret>[^"'`\n]{1,200})(?=["'`])/gu,
    isSecret: (value, verdict) => isSure(verdict) && hidesText(value, verdict),
  },
  // with password hunter2
  {
    marks: [' '],
    pattern:
      /(?<before>(?<![\p{L}\p{M}\d_-])(?<name>[\p{L}\p{M}_]{4,40})[ \t])(?<secret>(?=\S{0,60}\d)(?=\S{0,60}\p{L})[^\s"'`,;()]{6,200})/gu,
    isSecret: (_value, { kind }) => kind === 'password',
  },
  // Your verification code is 492039
  {
    marks: [' is', ' was ', ' es', ' lautet'],
    pattern:
      /(?<before>(?<![\p{L}\d_-])(?<name>(?:[\p{L}\p{M}-]{1,20}[ \t]){0,2}[\p{L}\p{M}]{2,30})[ \t](?:is|was|ist|lautet|es|est)[ :]{1,3})(?<secret>[^\s"']{0,60}\d[^\s"']{0,60})/gu,
    isSecret: (value, verdict) =>
      isNamed(verdict) && verdict.kind !== 'hint' && (verdict.kind !== 'key' || looksRandom(value)),
  },
  {
    marks: [' is your '],
    pattern:
      /(?<before>)(?<secret>(?<!\w)(?:[A-Z]-)?\d{4,8}(?=\sis your\b[^.\n]{0,60}\b(?:code|password|pin|PIN|OTP)\b))/g,
  },
  // a part of a form
  {
    marks: ['name="'],
    pattern:
      /(?<before>\bname="(?<name>[^"\n]{1,60})"\r?\n(?:[\w-]{1,40}:[^\r\n]{1,200}\r?\n)?\r?\n)(?<secret>[^\r\n]{1,2000})/g,
  },
  // <password>…</password>
  {
    marks: ['</', '<!['],
    pattern:
      /(?<before><(?:[\w.-]{1,40}:)?(?<name>[\p{L}_][\p{L}\p{M}\w.-]{0,60})(?:\s[^<>]{0,300})?>\s{0,20}(?:<!\[CDATA\[)?)(?<secret>[^<>\]]{1,2000})/gu,
  },
  // <key>password</key><string>…</string>
  {
    marks: ['<key>'],
    pattern: /(?<before><key>(?<name>[^<]{1,60})<\/key>\s{0,20}<string>)(?<secret>[^<]{1,2000})/g,
  },
];

export const redactCommands = (text: string) => (text.includes(' -') ? replaced(text, COMMANDS) : text);

export const redactNamedPatterns = (text: string) => replaced(text, NAMED);

function replaced(text: string, patterns: readonly Pattern[]): string {
  let result = text;
  for (const { marks, pattern, isSecret = hidesText } of patterns) {
    if (!marks.some((mark) => result.includes(mark))) continue;
    result = result.replace(pattern, (whole, ...rest) => {
      const { before, name, secret }: Groups = rest.at(-1);
      if (name === undefined) return `${before}${REDACTED}`;
      return isSecret(secret.trim(), judgeName(name)) ? `${before}${REDACTED}` : whole;
    });
  }
  return result;
}
