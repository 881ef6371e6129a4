package substrate.agent;

/**
 * The messages between the daemon and this agent, version 1. src/probes/drivers/jvm/protocol.ts has the same list.
 *
 * Frames, both ways:
 *
 *   u32 little endian: length of the text in bytes | UTF-8 JSON text
 *
 * A frame of more than 128 MiB is no frame of this protocol: the connection is closed. Requests are {id, op, …}, answers
 * {id, result} or {id, error: text}, in any order: an `invoke` may run while captures go on.
 *
 *   hello    {protocol, maxKeys, budget, jmx, swing} -> {protocol, build, java, main, native}; the first of a connection
 *   rules    WalkRules                         -> {}: see src/probes/insight/walk-rules.ts; the second of a connection
 *   capture  {full, deep, reservedKeys}        -> {leaves, roots, beans, screen, rawCount, coverage, stoppedBy, costMs,
 *                                               hasMethodNews}; reservedKeys: the number that windows need
 *   methods  {sequence, sayable, types, enough, wantsStamp, methods, bodies, members, contracts} -> facts, see
 *                                               src/probes/insight/methods/method-facts.ts
 *   describe {methods, bean, paths, roots}     -> {definitions, named}, see
 *                                               src/probes/insight/arguments/type-definition.ts
 *   invoke   {call, timeoutMs, interrupt, roots} -> {ok, message, rawReturn, context} or {refused, message}; roots: ids by
 *                                               the names in the paths of the request
 *   use      {operation, widget, called, words, args, timeoutMs} -> as invoke: uses a control of a window
 *   dispose  {}                                -> no answer: the agent removes itself, with its files
 *
 * leaves: {kind: "same"} | {kind: "full", paths: […], values: […]}
 *         | {kind: "delta", changed: [[slot, value]…], added: [[slot, path, value]…], removed: [slot…]}
 * roots:  {order: [id…], added: [{id, kind, type, name, where}…]}, see src/probes/insight/roots/root-facts.ts; null: as
 *         before. A path begins with the id of its root; the place of an object that is shown elsewhere has [its path], that of a
 *         secret [null, its type].
 * screen: the windows as src/probes/insight/screen/screen-facts.ts describes them; null: nothing has changed
 *
 * The agent serves one connection at a time. When it ends without `dispose` the agent waits for another daemon, and
 * removes itself when none has come for five minutes.
 */
final class Protocol {
    static final int VERSION = 1;
    static final int MAX_FRAME = 128 * 1024 * 1024;
    static final long LEASE_MS = 5 * 60 * 1000L;

    private Protocol() {}
}
