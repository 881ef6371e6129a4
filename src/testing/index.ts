/** `substrated/test`: an app in a test, assertions for node:test, and matchers for runners that have `expect.extend`. */
export { AppHandle, type ConnectOptions, connect, type Which } from './app-handle.ts';
export { assertReach, assertReachState } from './assert.ts';
export type { Expected, ExpectedFields } from './expression.ts';
export { type AppMatchers, matchers } from './matchers.ts';
export type { ReachOptions } from './reach.ts';
