/** The text of a launchd agent. */
import { LAUNCHD_LABEL } from './service-host.ts';
import type { ServiceProgram } from './service-program.ts';

export function launchdPlist({ command, environment, log }: ServiceProgram): string {
  const variables = Object.entries(environment);
  const lines = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">',
    '<plist version="1.0">',
    '<dict>',
    ...entry('Label', [text(LAUNCHD_LABEL)]),
    ...entry('ProgramArguments', ['<array>', ...command.map((word) => `  ${text(word)}`), '</array>']),
    ...(variables.length === 0
      ? []
      : entry('EnvironmentVariables', [
          '<dict>',
          ...variables.flatMap(([name, value]) => [`  <key>${escaped(name)}</key>`, `  ${text(value)}`]),
          '</dict>',
        ])),
    ...entry('RunAtLoad', ['<true/>']),
    // Restarts after a failure, not after a normal stop.
    ...entry('KeepAlive', ['<dict>', '  <key>SuccessfulExit</key>', '  <false/>', '</dict>']),
    ...entry('StandardOutPath', [text(log)]),
    ...entry('StandardErrorPath', [text(log)]),
    '</dict>',
    '</plist>',
  ];
  return `${lines.join('\n')}\n`;
}

function entry(key: string, value: readonly string[]): string[] {
  return [`  <key>${key}</key>`, ...value.map((line) => `  ${line}`)];
}

function text(value: string): string {
  return `<string>${escaped(value)}</string>`;
}

function escaped(value: string): string {
  return value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
