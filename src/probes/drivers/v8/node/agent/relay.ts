/**
 * The way from code that is evaluated inside a call of the app to the agent. It must use an existing global, because
 * the app would see a global of ours, and must run no code of the app.
 */
import type * as ChannelModule from 'node:diagnostics_channel';

export interface Relay {
  /** Source that sends the value of `message`. */
  send(message: string): string;
  listen(take: (message: unknown) => void): void;
  stop(): void;
}

/** True for a function of Node itself. */
type IsOwn = (fn: object) => boolean;

const { getOwnPropertyDescriptor, getPrototypeOf } = Object;

/** Null if the app has replaced everything usable. */
export function createRelay(channels: typeof ChannelModule, isOwn: IsOwn): Relay | null {
  const name = `substrate-${Math.random().toString(36).slice(2)}`;
  if (hasOwnLoader(isOwn)) return channelRelay(channels, name);
  return hasOwnEvents(isOwn) ? eventRelay(name) : null;
}

function channelRelay(channels: typeof ChannelModule, name: string): Relay {
  let listener: ((message: unknown) => void) | null = null;
  const channel = `globalThis.process.getBuiltinModule("diagnostics_channel").channel("${name}")`;
  return {
    send: (message) => `${channel}.publish(${message})`,
    listen(take) {
      if (listener) return;
      listener = take;
      channels.subscribe(name, take);
    },
    stop() {
      if (listener) channels.unsubscribe(name, listener);
      listener = null;
    },
  };
}

/** Tools that trace programs replace the loader. */
function eventRelay(name: string): Relay {
  // Its declared type omits this.
  const target = globalThis.performance as unknown as EventTarget;
  let listener: ((event: Event) => void) | null = null;
  return {
    send: (message) =>
      `globalThis.performance.dispatchEvent(Object.assign(new globalThis.Event("${name}"),{substrate:${message}}))`,
    listen(take) {
      if (listener) return;
      listener = (event) => take(getOwnPropertyDescriptor(event, 'substrate')?.value);
      target.addEventListener(name, listener);
    },
    stop() {
      if (listener) target.removeEventListener(name, listener);
      listener = null;
    },
  };
}

function hasOwnLoader(isOwn: IsOwn): boolean {
  return isOwnGlobal('process', isOwn) && isOwnMethod(process, 'getBuiltinModule', isOwn);
}

function hasOwnEvents(isOwn: IsOwn): boolean {
  if (!isOwnGlobal('performance', isOwn) || !isOwnGlobal('Event', isOwn)) return false;
  return isOwnMethod(globalThis.performance, 'dispatchEvent', isOwn) && isOwn(globalThis.Event);
}

/** True for data, or a getter of Node. */
function isOwnGlobal(name: string, isOwn: IsOwn): boolean {
  const descriptor = getOwnPropertyDescriptor(globalThis, name);
  return descriptor !== undefined && (descriptor.get === undefined || isOwn(descriptor.get));
}

function isOwnMethod(object: object, name: string, isOwn: IsOwn): boolean {
  for (let at: object | null = object; at !== null; at = getPrototypeOf(at)) {
    const descriptor = getOwnPropertyDescriptor(at, name);
    if (descriptor) return typeof descriptor.value === 'function' && isOwn(descriptor.value);
  }
  return false;
}
