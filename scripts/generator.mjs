// Installs the client generator for the test of the OpenAPI document, in a folder of its own, because it needs another
// compiler.
import fs from 'node:fs';
import path from 'node:path';
import { ROOT, step } from './install.mjs';

const FOLDER = path.join(ROOT, 'test/generator');

function isInstalled() {
  try {
    const installed = fs.statSync(path.join(FOLDER, 'node_modules/.package-lock.json')).mtimeMs;
    return installed >= fs.statSync(path.join(FOLDER, 'package-lock.json')).mtimeMs;
  } catch {
    return false;
  }
}

/** Like install.mjs, for the same reasons. */
if (!isInstalled()) {
  console.error('Installing the generator of clients …');
  step('npm', ['install', '--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: FOLDER,
  });
}
